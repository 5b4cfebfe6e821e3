"""Why `grad` and similar functions cannot differentiate a function: it does not return a number, or an argument has no small steps."""

from __future__ import annotations

import ast
from types import TracebackType
from typing import Any

from whygrad.values.faults import Fault, FunctionResult, NotAScalarResult, NotDifferentiableArgument
from whygrad.why.cause import Cause
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.sites import Site, site, site_of, tree_of

FAULTS: tuple[type[Fault], ...] = (FunctionResult, NotDifferentiableArgument)


def explain(fault: Fault, frame: TracebackType) -> Cause:
    """The cause of an error of a function that is differentiated, called in this frame of the user's program."""
    asked = site(frame.tb_frame.f_code, frame.tb_lasti, "asked here")
    if isinstance(fault, NotDifferentiableArgument):
        return _argument(fault, frame, asked)
    assert isinstance(fault, FunctionResult), "one of `FAULTS`"
    name = fault.function
    if isinstance(fault, NotAScalarResult):
        made = _made_at(fault, f"the result: shape {fault.shape}") or _returned_at(fault, "returned here")
        return Cause(
            "not-a-scalar",
            "exception",
            f"{name} returns a tensor of shape {fault.shape}, but only a single number has a gradient",
            _places(made, asked),
            "return one number, such as the sum or the mean; whygrad.jacobian(f) differentiates every element, and "
            "whygrad.vjp(f, x) takes the upstream gradient",
        )
    value: Any = fault.value  # type: ignore[attr-defined]
    if value is None:
        return Cause(
            "target-not-a-tensor",
            "exception",
            f"{name} returns None: there is nothing to differentiate",
            _places(_returned_at(fault, "not returned"), asked),
            f"return the result from {name}",
        )
    kind = fault.kind  # type: ignore[attr-defined]
    if isinstance(value, tuple | list | dict):
        help = "return the number alone; with has_aux=True, return a pair of the number and what else is computed"
    elif kind == "complex numbers":
        help = "return a real number, such as np.real(...) or np.abs(...) ** 2"
    else:
        help = "return floating point numbers: leave out the cast, or the op that counts, orders or compares"
    return Cause(
        "target-not-a-tensor",
        "exception",
        f"{name} returns {kind}, which cannot be differentiated",
        _places(_made_at(fault, "made here") or _returned_at(fault, "returned here"), asked),
        help,
    )


def _argument(fault: NotDifferentiableArgument, frame: TracebackType, asked: Site) -> Cause:
    call_site = CallSite(frame.tb_frame.f_code, frame.tb_lasti)
    name = _name_of(fault.value, frame, call_site)
    if not fault.is_number:
        reason, help = "it is not a number", "differentiate with respect to other arguments: argnums says which"
    elif isinstance(fault.value, int) and not isinstance(fault.value, bool):
        reason, help = "integers have no derivative", f"write {float(fault.value)!r} in the place of {fault.value!r}"
    else:
        reason = "integers and bools have no derivative"
        help = (
            f"give an array of floats, {name or 'x'}.astype(float); or differentiate with respect to other arguments: argnums says "
            "which"
        )
    return Cause(
        "integer-dtype" if fault.is_number else "source-not-a-tensor",
        "exception",
        f"`{fault.argument}` is {fault.kind}, and {fault.function} is differentiated with respect to it: {reason}",
        _places(call_site.assigned_at(name, "made here") if name else None, asked),
        help,
    )


def _name_of(value: Any, frame: TracebackType, call_site: CallSite) -> str:
    """The name in a call that holds a value; "" if none does."""
    known = frame.tb_frame.f_locals
    names = [each.id for each in ast.walk(call_site.node) if isinstance(each, ast.Name)] if call_site.node else []
    return next((name for name in names if known.get(name) is value), "")


def _places(*sites: Site | None) -> tuple[Site, ...]:
    return tuple(each for each in sites if each is not None)


def _made_at(fault: FunctionResult, role: str) -> Site | None:
    """The op that computed the result."""
    return None if fault.made_at is None else site(*fault.made_at, role)


def _returned_at(fault: FunctionResult, role: str) -> Site | None:
    """The last statement of the function, which returns the result or should."""
    code = fault.defined_at
    tree = None if code is None else tree_of(code.co_filename)
    for function in () if tree is None else syntax.functions_named(tree, code.co_name):
        if function.lineno <= code.co_firstlineno + len(function.decorator_list) <= (function.end_lineno or 0):
            last = function.body[-1]
            shown = getattr(last, "value", None) or last
            return site_of(shown, code.co_filename, role) if isinstance(shown, ast.expr) else None
    return None
