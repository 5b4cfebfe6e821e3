"""`custom-gradient-ignores-upstream`: a gradient function that does not use the upstream gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.why.cause import Cause
from whygrad.why.evidence.numerics import all_zero, array_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import Repair, replaced, unparsed
from whygrad.why.source.gradient_functions import gradient_code, returned_at
from whygrad.why.source.sites import Site, expression_of, site, tree_of
from whygrad.why.source.syntax import around, called_name
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if a gradient function ignores what it is given, and something other than ones was."""
    for pulled in trace.numerics.watched:
        record = pulled.record
        arrived = [
            np.asarray(getattr(g, "_array", g)) for g in (pulled.g if isinstance(pulled.g, tuple) else (pulled.g,))
        ]
        if all((g == 1).all() for g in arrived) or all_zero(pulled.gx) or not _ignores_its_arguments(record):
            continue
        name = record.plan.primitive.name
        returned = returned_at(record, "returned here")
        called = site(record.code, record.instruction, "called here")
        agree = (
            len(arrived) == 1 and not isinstance(pulled.gx, tuple) and np.shape(array_of(pulled.gx)) == arrived[0].shape
        )
        repair = _times_upstream(record, returned, agree)
        yield Cause(
            "custom-gradient-ignores-upstream",
            "wrong_value",
            f"the gradient function of {quoted(name)} does not use the upstream gradient it is given: what is computed from "
            f"{quoted(name)} has no influence on the gradient",
            (*([] if returned is None else [returned]), called, question.call_site.site),
            repair.help,
            {name: described(pulled.key)},
            edits=repair.edits,
        )
        return


def _times_upstream(record: Any, returned: Site | None, shapes_agree: bool) -> Repair:
    """The gradient function's result times its argument, where it gives one gradient of the shape of that argument."""
    help = "multiply what the gradient function returns by its argument: return "
    code, node = gradient_code(record), None if returned is None else expression_of(returned)
    if not shapes_agree or returned is None or code is None or code.co_argcount < 1 or not isinstance(node, ast.expr):
        return Repair(f"{help}upstream * slope")
    if isinstance(node, ast.Tuple | ast.List):
        return Repair(f"{help}upstream * slope")
    names = [each for each in code.co_varnames[: code.co_argcount] if each != "self"]
    text = unparsed(ast.BinOp(ast.Name(names[0]), ast.Mult(), node)) if names else "upstream * slope"
    return Repair(help + text, (replaced(returned.file, node, text),) if names else ())


# The attributes and functions, as programs write them, that read no numbers.
_ONLY_ITS_FORM = ("shape", "dtype", "ndim", "ones_like", "zeros_like", "rank", "size")


def _ignores_its_arguments(record: Any) -> bool:
    """Whether a gradient function mentions its arguments at most for their shape and dtype."""
    code = gradient_code(record) if record.plan.primitive.takes_tensors else None
    tree = None if code is None else tree_of(code.co_filename)
    if code is None or tree is None or not (code.co_argcount or code.co_flags & 4):
        return False
    names = set(code.co_varnames[: code.co_argcount + (1 if code.co_flags & 4 else 0)]) - {"self", "variables"}
    function = next(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.Lambda)
            and getattr(node, "name", "<lambda>") == code.co_name
            and code.co_firstlineno in {node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]}
        ),
        None,
    )
    if function is None:
        return False
    defaults = function.args.defaults  # arguments with a default value are settings: the upstream gradients come first
    if len(defaults) < code.co_argcount:
        names -= set(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount])
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in names]
    return all(_is_about_its_form(node) for node in uses)


def _is_about_its_form(node: ast.Name) -> bool:
    above = next(around(node), None)
    if isinstance(above, ast.Attribute):
        return above.attr in _ONLY_ITS_FORM
    return isinstance(above, ast.Call) and called_name(above) in _ONLY_ITS_FORM
