"""The gradient function of a custom gradient, and where it returns."""

from __future__ import annotations

import ast
import inspect
from types import CodeType
from typing import Any

from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.syntax import function_of, scope_of


def returned_at(record: Any, role: str, role_of_last: str = "") -> Site | None:
    """The return statement of the gradient function of a record; if it returns nothing, its last statement, as `role_of_last`."""
    code = gradient_code(record)
    if code is None:
        return None
    function = function_of(code)
    if isinstance(function, ast.Lambda):
        return site_of(function.body, code.co_filename, role)
    if function is not None:
        returns = [
            node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value is not None and scope_of(node) is function
        ]
        last = returns[-1] if returns else function.body[-1]
        if isinstance(last, ast.Expr | ast.Assign):
            last = last.value
        return site_of(last, code.co_filename, role if returns else role_of_last or role)
    places = [i for i, place in enumerate(code.co_positions()) if place[0] is not None]
    return site(code, places[-1] * 2, role) if places else None


def gradient_code(record: Any) -> CodeType | None:
    """The code of the user's gradient function."""
    joint = record.plan.primitive.joint
    rule = None if joint is None else inspect.unwrap(joint)  # in a compiled function, its trace stands around it
    for cell in (rule.__closure__ or ()) if rule is not None else ():
        held = cell.cell_contents
        code = getattr(getattr(held, "__func__", held), "__code__", None)
        if code is not None:
            return code  # type: ignore[no-any-return]
    return None
