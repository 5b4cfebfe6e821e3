"""A tape that was asked for gradients a second time, or that was never entered."""

from __future__ import annotations

from whygrad.tape.gradient_calls import FailedCall
from whygrad.values.faults import TapeNeverEntered, TapeSpent
from whygrad.why.cause import Cause
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.edits import Edit, with_keyword
from whygrad.why.source.sites import Site, site

_IN_A_SECOND_TAPE = (
    "for a second derivative, open a second tape around the first, take the gradient inside of its block, and ask the second: "
    "outer.gradient(g, x) (after outer.watch(x), if x is a plain tensor)"
)


def spent(call: FailedCall, fault: TapeSpent, asked: Site) -> Cause:
    """A tape that is not persistent, asked twice."""
    first = [site(*call.tape.first_use, "used up here")] if call.tape.first_use else []
    made = CallSite(call.code, call.instruction).tape_made_at("tape made here")
    return Cause(
        "tape-used-twice", "exception", "this tape has already given its one set of gradients",
        tuple([each for each in (asked, *first, made) if each is not None]),
        _IN_A_SECOND_TAPE if _gave_a_target(call) else "ask for all gradients in one call, "
        "tape.gradient(loss, [a, b]), or make the tape persistent=True",
        edits=() if _gave_a_target(call) else _made_persistent(call),
    )  # fmt: skip


def _made_persistent(call: FailedCall) -> tuple[Edit, ...]:
    """The edit that makes the tape a persistent one."""
    at = CallSite(call.code, call.instruction)
    made = at.tape_call()
    return () if made is None else with_keyword(at.file, made, "persistent", "True", 0).edits


def _gave_a_target(call: FailedCall) -> bool:
    """Whether what is to be differentiated is a gradient that this tape gave: a second derivative is meant."""
    last = call.tape.last_call()
    return last is not None and any(target is each for target in call.targets for each in last.gradients)


def never_entered(call: FailedCall, fault: TapeNeverEntered, asked: Site) -> Cause:
    """A tape that recorded nothing because it was not entered by `with`."""
    made = CallSite(call.code, call.instruction).tape_made_at("made here")
    return Cause(
        "tape-never-entered", "exception", "this tape was never entered, so it recorded nothing",
        (asked,) if made is None else (made, asked),
        "open it with a with statement around the computation: with tf.GradientTape() as tape:",
    )  # fmt: skip
