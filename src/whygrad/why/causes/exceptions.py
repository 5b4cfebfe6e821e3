"""Why something raised: from the exception's fault and the user's line, which file of `causes` explains it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from whygrad.tape.gradient_calls import FailedCall
from whygrad.values.errors import Explained
from whygrad.values.faults import (
    CotangentMisfit,
    Fault,
    IncompatibleShapes,
    ItemAssigned,
    NoneGiven,
    NoRegisteredGradient,
    NotATarget,
    Singular,
    TapeNeverEntered,
    TapeSpent,
    UpstreamMismatch,
    VariableMadeAgain,
    VariableShape,
)
from whygrad.why.cause import Cause, finished
from whygrad.why.causes import (
    custom_gradient,
    differentiated_function,
    input_refused,
    invalid_argument,
    leaked_tensor,
    op_error,
    op_without_gradient,
    output_gradients_mismatch,
    singular_matrix,
    sparse_gradient_arithmetic,
    tape_used_twice,
    target_not_a_tensor,
    unknown_argument,
    variable_made_anew,
    wrong_axis,
    wrong_variable_list,
)
from whygrad.why.evidence.failed_op import last_frame, raised_by_us, users_frame
from whygrad.why.evidence.trace import current
from whygrad.why.source.sites import Site, site
from whygrad.why.source.tensor_functions import explaining


def causes_of(error: BaseException) -> list[Cause]:
    """The causes of an exception; an empty list if it is not ours to explain."""
    known = error.__dict__.get("causes")
    if known is not None:
        return list(known)
    frame = users_frame(error.__traceback__)
    with explaining(of_numpys=getattr(error, "of_numpys", False)):
        found = None if frame is None else _cause(_original(error), frame)
        return [] if found is None else [finished(found)]


def _original(error: BaseException) -> BaseException:
    """The error that a library has replaced by one with more words, which took over its traceback."""
    before = error.__context__
    while isinstance(before, Explained) and last_frame(before.__traceback__) is last_frame(error.__traceback__):
        error, before = before, before.__context__
    return error


def _cause(error: BaseException, frame: TracebackType) -> Cause | None:
    if sparse_gradient_arithmetic.is_of_sparse_gradient(error):
        return sparse_gradient_arithmetic.explain(frame)
    if not isinstance(error, Explained):
        return (
            variable_made_anew.refused(error, frame)
            or wrong_variable_list.explain_unknown(error, frame)
            or unknown_argument.explain(error, frame)
            or input_refused.explain(error, frame)
        )
    if not raised_by_us(error.__traceback__):
        return None
    if isinstance(error.fault, differentiated_function.FAULTS):
        return differentiated_function.explain(error.fault, frame)
    if isinstance(error.fault, VariableMadeAgain):
        return invalid_argument.variable_made_again(error, error.fault, frame)
    if isinstance(error.fault, ItemAssigned):
        return invalid_argument.item_assigned(error.fault, frame)
    return leaked_tensor.explain(error, frame) or _of_op(error, frame)


def _of_op(error: Explained, frame: TracebackType) -> Cause | None:
    """The cause of an error of an op; None where it is what a None led to that has its own."""
    trace = current()
    none_is_explained = trace is not None and any(each.symptom == "none" for each in trace.findings)
    if none_is_explained and isinstance(error.fault, NoneGiven):
        return None
    if isinstance(error.fault, IncompatibleShapes | VariableShape) and (
        refused := wrong_variable_list.explain_refused(frame)
    ):
        return refused
    found = op_error.explain(error, frame)
    return found if trace is None else wrong_axis.explain(found, error.fault, frame, trace) or found


# -- errors of gradient(): explained from the call that failed --


_OF_CALLS: dict[type[Fault], Callable[[FailedCall, Any, Site], Cause | None]] = {
    TapeSpent: tape_used_twice.spent,
    TapeNeverEntered: tape_used_twice.never_entered,
    NotATarget: target_not_a_tensor.explain,
    UpstreamMismatch: output_gradients_mismatch.explain,
}


def explain_failure(call: FailedCall, error: BaseException) -> Cause | None:
    """The cause of an exception that left `tape.gradient`."""
    found = _failure(call, error)
    return None if found is None else finished(found)


def _failure(call: FailedCall, error: BaseException) -> Cause | None:
    asked = site(call.code, call.instruction, "asked here")
    fault = error.fault if isinstance(error, Explained) else None
    explain = next((_OF_CALLS[kind] for kind in type(fault).__mro__ if kind in _OF_CALLS), None)
    if explain is not None:
        return explain(call, fault, asked)
    record = call.record
    if record is None:
        return None
    if isinstance(fault, NoRegisteredGradient):
        return op_without_gradient.explain(fault, record, asked)
    primitive = record.plan.primitive
    misfit_of_extension = primitive.from_outside and isinstance(fault, CotangentMisfit)
    if primitive.takes_tensors or misfit_of_extension:
        return custom_gradient.explain(call, error, record, asked)
    if isinstance(fault, Singular):
        return singular_matrix.in_rule(record, asked)
    return op_without_gradient.explain_case(error, fault, record, asked)
