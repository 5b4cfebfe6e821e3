"""A gradient function of `tf.custom_gradient` that raised, or that returned what does not fit its arguments."""

from __future__ import annotations

import ast
from dataclasses import replace

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_calls import FailedCall
from whygrad.values.errors import Explained
from whygrad.values.faults import (
    CotangentMisfit,
    DtypeMismatch,
    Fault,
    GradientCount,
    NotRepresentable,
    VariableGradientCount,
)
from whygrad.why.cause import Cause
from whygrad.why.causes import op_error
from whygrad.why.evidence.failed_op import users_frame
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.gradient_functions import gradient_code, returned_at
from whygrad.why.source.sites import Site, expression_of, site
from whygrad.why.source.wording import counted, described, quoted


def explain(call: FailedCall, error: BaseException, record: Record, asked: Site) -> Cause | None:
    """The cause of an error in a sweep that came from the gradient function of `record`."""
    inside = users_frame(error.__traceback__)
    if inside is not None and inside.tb_frame.f_code is not call.code:  # raised by an op inside the gradient function
        found = op_error.explain(error, inside) if isinstance(error, Explained) else None
        return None if found is None else replace(found, sites=(*found.sites, asked))
    name = record.plan.primitive.name
    made = returned_at(record, "returned here") or site(record.code, record.instruction, "called here")
    shapes = {name: described(record.inputs[0])} if record.inputs else {}
    fault = error.fault if isinstance(error, Explained) else None
    kind, returned, help = _returned(fault, str(error).splitlines()[-1].strip())
    repair = _with_code(kind, record, made) or Repair(help)
    sentence = f"the gradient function of {quoted(name)} returned {returned}"
    return Cause(kind, "exception", sentence, (made, asked), repair.help, shapes, edits=repair.edits)


def _with_code(kind: str, record: Record, returned: Site) -> Repair | None:
    """What the gradient function should return, as code, where that follows from what it returns."""
    if kind == "dtype-mismatch":
        return _cast_to_upstream(record, returned)
    node = expression_of(returned) if kind == "custom-gradient-wrong-shape" else None
    if not isinstance(node, ast.Call) or not (syntax.called_name(node) or "").startswith("reduce_") or not node.args:
        return None
    whole = ast.unparse(node.args[0])
    return Repair(
        f"return a gradient of the argument's shape: {whole}, without {ast.unparse(node.func)}",
        (replaced(returned.file, node, whole),),
    )


def _cast_to_upstream(record: Record, returned: Site) -> Repair | None:
    """The gradient function's result in the dtype of its upstream gradient, where it returns one expression."""
    code, node = gradient_code(record), expression_of(returned)
    names = [] if code is None else [each for each in code.co_varnames[: code.co_argcount] if each != "self"]
    if len(names) != 1 or node is None or isinstance(node, ast.Tuple | ast.List):
        return None
    text = f"tf.cast({ast.unparse(node)}, {names[0]}.dtype)"
    return Repair(f"return it in the dtype of the argument: {text}", (replaced(returned.file, node, text),))


def _returned(fault: Fault | None, message: str) -> tuple[str, str, str]:
    """Kind, what was returned, and help."""
    if isinstance(fault, GradientCount):
        many = "too few" if fault.returned < fault.arguments else "too many"
        return (
            "custom-gradient-wrong-count",
            f"{many} gradients, {fault.returned} for {counted(fault.arguments, 'argument')}",
            "return one gradient for each argument of the function, in their order",
        )
    if isinstance(fault, VariableGradientCount):
        return (
            "custom-gradient-wrong-count",
            f"too few gradients: {message}",
            "return one gradient for each variable that it uses, in their order",
        )
    returned = f"something that does not fit its argument: {message}"
    wrong_dtype = isinstance(fault, DtypeMismatch | NotRepresentable)
    if isinstance(fault, CotangentMisfit):
        returned = f"{fault.dtype} {fault.shape} for an argument of {fault.wanted_dtype} {fault.wanted}"
        wrong_dtype = fault.shape == fault.wanted
    if wrong_dtype:
        return (
            "dtype-mismatch",
            returned,
            "return gradients in the dtype of the argument: tf.cast(gradient, upstream.dtype)",
        )
    return (
        "custom-gradient-wrong-shape",
        returned,
        "return one gradient for each argument, of the argument's shape and dtype: "
        + (
            "where the argument was repeated along an axis, the sum of upstream times slope over that axis (tf.reduce_sum)"
            if isinstance(fault, CotangentMisfit) and len(fault.shape) > len(fault.wanted)
            else "upstream times the slope, not its sum"
        ),
    )
