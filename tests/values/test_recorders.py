"""Which tensors a tape watches when several tapes watch the same one: a key holds the mark of one of them."""

import gc
import weakref

import whygrad as tf
from tests.support.threads import in_thread
from whygrad.values import tensor
from whygrad.values.recorders import Mark
from whygrad.values.tensor import Key, key_of


def _followed_by(tape, *tensors):
    return [tape.watches(key_of(tensor)) for tensor in tensors]


def test_an_outer_tape_keeps_following_a_result_that_an_inner_tape_watches():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        y = x * x
        with tf.GradientTape() as inner:
            inner.watch(y)
            z = y * y
        assert _followed_by(outer, x, y, z) == [True, True, True]
        assert _followed_by(inner, x, y, z) == [False, True, True]
    assert outer.gradient(z, x).numpy() == 4 * 3**3
    assert inner.gradient(z, y).numpy() == 2 * 9


def test_successive_tapes_follow_the_same_source():
    x = tf.constant(3.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        assert tape.live == {key_of(x), key_of(y)}
        assert tape.gradient(y, x).numpy() == 6


def test_two_tapes_side_by_side():
    x = tf.constant(3.0)
    with tf.GradientTape() as first, tf.GradientTape() as second:
        first.watch(x)
        second.watch(x)
        y = x * x * tf.reduce_sum(x)
    assert first.live == second.live
    assert first.gradient(y, x).numpy() == second.gradient(y, x).numpy() == 27


def test_after_reset_nothing_is_followed():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        assert _followed_by(tape, x, y) == [False, False]
        with tf.GradientTape() as other:  # takes the mark over from before the reset: that is no sign of being watched
            other.watch([x, y])
            assert _followed_by(tape, x, y) == [False, False]
        tape.watch(x)
        z = x * y
        assert _followed_by(tape, x, y, z) == [True, False, True]
    assert tape.gradient(z, x).numpy() == 9


def test_an_accumulator_follows_tensors_with_a_tangent():
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward, tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        n = tf.round(y)
        assert _followed_by(forward, x, y, n) == _followed_by(tape, x, y, n) == [True, True, True]
        g = tape.gradient(y, x)
    assert forward.jvp(n) is None  # nothing leads through round, though its result is watched
    assert (g.numpy(), forward.jvp(g).numpy(), forward.jvp(y).numpy()) == (6, 2, 6)


def test_marks_keep_no_tape_alive():
    x = tf.constant(3.0)
    gc.disable()
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        gone = weakref.ref(tape)
        del tape
        assert gone() is None
        assert key_of(y).mark is not None
    finally:
        gc.enable()


def test_two_threads_meet_a_tensor_for_the_first_time_together(monkeypatch):
    """The one that has made a key later takes the other's: a tape would not find its own tensor again."""
    x = tf.constant([1.0, 2.0])
    others = []

    def made_meanwhile():
        monkeypatch.undo()
        others.append(in_thread(lambda: key_of(x)))
        return Key()

    monkeypatch.setattr(tensor, "Key", made_meanwhile)
    key = key_of(x)
    assert others == [key]
    assert (key.shape, key.dtype, key.mark) == ((2,), "float32", None)


def test_tapes_of_three_threads_watch_a_tensor_together():
    x = tf.constant(3.0)
    first, second, third = tf.GradientTape(), tf.GradientTape(), tf.GradientTape()
    key, waiting = key_of(x), [third]

    class Slow(Mark):
        """While one tape takes the key over from the first, another one does."""

        def __call__(self):
            while waiting:
                waiting.pop().mark_watched(key)
            return super().__call__()

    first.mark = Slow(first)
    first.mark_watched(key)
    second.mark_watched(key)
    assert [tape.watches(key) for tape in (first, second, third)] == [True, True, True]
