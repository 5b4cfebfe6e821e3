"""Why a compiled call, or its gradient, is inf or nan: found by running the call again op by op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whygrad.runtime.call_sites import users_site
from whygrad.values.recorders import ProgramObserver
from whygrad.values.tensor import key_of
from whygrad.why.cause import Cause
from whygrad.why.causes import nonfinite_gradient
from whygrad.why.causes.op_not_finite import QuestionOfOp
from whygrad.why.evidence.compiled_replay import CompiledCall
from whygrad.why.evidence.numerics import Birth, Numerics, is_finite
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


def explain_results(call: CompiledCall, check: ProgramObserver) -> Cause:
    """Why a compiled call gave inf or nan, in its results or in the variables that it assigns."""
    try:
        return _born_in_results(call, check)
    except Exception as error:
        return _fails_as_python(call, error)


def _born_in_results(call: CompiledCall, check: ProgramObserver) -> Cause:
    results, trace = call.run_again(check)
    born = [birth for each in results if (birth := trace.numerics.births.get(key_of(each))) is not None]
    of_ops = [birth for birth in born if birth.where == "forward"]
    if of_ops:
        return _called(nonfinite_gradient.forward(_question(trace.numerics, of_ops[0], call), of_ops[0]))
    found = next((cause for cause in trace.findings if cause.symptom == "nonfinite"), None)
    if found is not None:
        return _called(replace(found, symptom="exception"))
    if born:
        return _called(nonfinite_gradient.forward(_question(trace.numerics, born[0], call), born[0]))
    return _not_seen_again(call, all(is_finite(each._array) for each in results))


def explain_gradient(call: CompiledCall, upstream: Sequence[Any], check: ProgramObserver) -> Cause:
    """Why the gradient of a compiled call is inf or nan, though the upstream gradients of its results were finite."""
    try:
        return _born_in_gradient(call, upstream, check)
    except Exception as error:
        return _fails_as_python(call, error)


def _born_in_gradient(call: CompiledCall, upstream: Sequence[Any], check: ProgramObserver) -> Cause:
    numerics = call.differentiate_again(upstream, check)
    if not numerics.backward:
        return _not_seen_again(call, True, of="the gradient of ")
    birth = numerics.backward[0]
    question = _question(numerics, birth, call)
    question.opening = f"the gradient of {_name(call)} is inf or nan"
    return _called(nonfinite_gradient.backward(question, birth), "asked here, and run again op by op")


def _name(call: CompiledCall) -> str:
    return quoted(call.traced.name)


def _question(numerics: Numerics, birth: Birth, call: CompiledCall) -> QuestionOfOp:
    question = QuestionOfOp(numerics, birth.record)
    question.opening = f"{_name(call)} gives inf or nan"
    return question


def _called(cause: Cause, role: str = "called here, and run again op by op") -> Cause:
    """A cause with the call site, where the replay began."""
    return replace(cause, sites=(*cause.sites, site(*users_site(), role)))


def _fails_as_python(call: CompiledCall, error: Exception) -> Cause:
    return Cause(
        "not-finite-here",
        "exception",
        f"{_name(call)} gives inf or nan; run again op by op, to find where, it raises {type(error).__name__}: {error}",
        (site(*users_site(), "called here"),),
        "tf.config.run_functions_eagerly(True) runs functions op by op",
    )


def _not_seen_again(call: CompiledCall, finite: bool, of: str = "") -> Cause:
    """The replay did not show which op made it."""
    here = site(*users_site(), "called here")
    if not finite:
        return Cause(
            "not-finite-here",
            "exception",
            f"{of}{_name(call)} gives inf or nan, and so it does when it is run again op by op; which op makes it is not known",
            (here,),
            "tf.config.run_functions_eagerly(True) runs functions op by op, so that each op can be looked at",
        )
    return Cause(
        "not-finite-when-compiled",
        "exception",
        f"{of}{_name(call)} is inf or nan when compiled, but the same call, run again op by op, is finite",
        (here,),
        "XLA combines operations and takes numbers below the smallest normal one (1e-38 in float32) for 0: look for products and "
        "squares of very small or very large numbers, keep them away from the ends of their range, or compute that part in float64",
    )
