"""Ctrl-C at every place in the entry and exit of a `with` block: nothing is left recording."""

import contextlib
import gc
import random
import signal
import sys
import time

import pytest

import whygrad as tf
from whygrad.values.recorders import state


class Interrupt(BaseException):
    pass


CONTEXTS = {
    "tape": tf.GradientTape,
    "accumulator": lambda: tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0)),
}


@contextlib.contextmanager
def interrupted_at(number, names):
    """Raise at the `number`-th instruction inside the functions of these names, except where CPython delivers no signals."""
    met = [0]

    def trace(frame, event, arg):
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_code.co_code[frame.f_lasti] not in RETURNS:
            met[0] += 1
            if met[0] == number:
                sys.settrace(None)
                raise Interrupt
        return trace

    def choose(frame, event, arg):
        return trace if frame.f_code.co_name in names and "whygrad" in frame.f_code.co_filename else None

    sys.settrace(choose)
    try:
        yield met
    finally:
        sys.settrace(None)


def _return_opcodes():
    import dis

    return {code for name, code in dis.opmap.items() if name.startswith("RETURN")}


RETURNS = _return_opcodes()


@pytest.mark.parametrize("make", CONTEXTS.values(), ids=CONTEXTS)
def test_an_interrupt_at_any_instruction_leaves_nothing_recording(make):
    names = {"__enter__", "__exit__", "_start", "_remove", "__get__"}
    number = 0
    while True:
        number += 1
        context = make()
        try:
            with interrupted_at(number, names) as met, context:
                pass
        except Interrupt:
            assert state.recorders == (), f"still recording after an interrupt at instruction {number}"
        else:
            break
    assert met[0] > 30
    with context:  # it can be entered again
        assert state.recorders == (context,)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that send signals")
def test_signals_at_random_times_leave_nothing_recording():
    def interrupt(number, frame):
        raise Interrupt

    rng = random.Random(0)
    before = signal.signal(signal.SIGALRM, interrupt)
    end = time.monotonic() + 1.0
    try:
        while time.monotonic() < end:
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 5e-4))
                for _ in range(20_000):  # not for ever: an exception inside a finalizer does not reach this line
                    with tf.GradientTape():
                        pass
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupt:
                assert state.recorders == ()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_looking_up_the_exit_does_not_end_the_block():
    with tf.GradientTape() as tape:
        assert hasattr(tape, "__exit__")
        assert state.recorders == (tape,)
    assert state.recorders == ()


def test_exit_stacks_and_calls_by_name():
    with contextlib.ExitStack() as stack:
        tape = stack.enter_context(tf.GradientTape())
        assert state.recorders == (tape,)
    assert state.recorders == ()
    tape = tf.GradientTape()
    tape.__enter__()
    tape.__exit__(None, None, None)
    assert state.recorders == ()


def test_a_tape_is_freed_without_the_collector():
    gc.disable()
    try:
        with tf.GradientTape() as tape:
            pass
        mark = tape.mark
        del tape
        assert mark() is None
    finally:
        gc.enable()
