"""A tensor that outlived the tracing of its function: where it was made, what holds it, where it was used."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import CodeType, TracebackType
from typing import Any

from whygrad.values.errors import LeakedTensorError
from whygrad.values.tensor import SymbolicTensor
from whygrad.why.cause import Cause
from whygrad.why.source import syntax
from whygrad.why.source.object_paths import ObjectPath, named_in, object_paths
from whygrad.why.source.sites import Site, site, site_of
from whygrad.why.source.wording import described, quoted


def explain(error: BaseException, frame: TracebackType) -> Cause | None:
    """The use of a tensor outside of the function it was made in."""
    if not isinstance(error, LeakedTensorError) or not isinstance(error.tensor, SymbolicTensor):
        return None
    tensor = error.tensor
    function = quoted(tensor._context.function.removeprefix("gradient of "))  # which traces it once more
    user = frame.tb_frame
    keeper = next(object_paths({**user.f_globals, **user.f_locals}.items(), lambda value: value is tensor), None)
    used = site(user.f_code, frame.tb_lasti, "used here", described(tensor))
    made = made_site(tensor)
    name = "a tensor" if keeper is None else quoted(keeper.text)
    maker = None if made is None else _computed_beforehand(tensor, user.f_code)
    help = f"return it from {function}: the results of a call have values"
    sites = [used] if made is None else [used, made]
    if keeper is not None and maker is not None:
        sites.reverse()
        help = (
            f"compute {name} in {quoted(user.f_code.co_name)}, where it is used: of what {quoted(maker.co_name)} computes, only "
            "variables keep their values"
        )
    elif keeper is not None and keeper.container:
        help += f", which {quoted(keeper.container)} can hold"
    return Cause(
        "leaked-tensor",
        "exception",
        f"{name} is a symbolic tensor, made while {function} was being compiled: it has no value outside",
        tuple(sites),
        help,
        {} if keeper is None else {keeper.text: described(tensor)},
    )


def _computed_beforehand(tensor: SymbolicTensor, user: CodeType) -> CodeType | None:
    """The function that made a tensor, where it is neither the one that was compiled nor the user: a layer's `build`, for its `call`."""
    place = tensor._context.made_at(tensor._key)
    if place is None or place[0] is user or place[0].co_name == tensor._context.function:
        return None
    owners = {code.co_varnames[0] if code.co_argcount else None for code in (place[0], user)}
    return place[0] if len(owners) == 1 and None not in owners else None


def made_site(tensor: SymbolicTensor, role: str = "made here") -> Site | None:
    """The user's place that made a symbolic tensor."""
    place = tensor._context.made_at(tensor._key)
    return None if place is None else site(place[0], place[1], role, described(tensor))


def left_behind(name: str, function: Any, arguments: Mapping[str, Any]) -> Cause | None:
    """A tensor of a trace that is over and that the program still holds: it was put there once, without a value."""

    kept = next(object_paths(named_in(function, arguments), _is_left), None)
    if kept is None:
        return None
    stored = next(_stores(function, kept), None)
    made = made_site(kept.value)
    sites = [each for each in (stored, made) if each is not None]
    if not sites:
        return None
    name, holder = quoted(name), quoted(kept.container or kept.text)
    return Cause(
        "python-side-effect",
        "wrong_value",
        f"{quoted(kept.text)} was set while {name} was being traced: Python runs this line once, not at each call, and the "
        "tensor has no value",
        tuple(sites),
        f"return the tensor from {name}, and put the result of the call into {holder}; to keep a value from call to call, assign it "
        "to a tf.Variable; to collect values in a loop, use a tf.TensorArray",
        {kept.text: described(kept.value)},
    )


def _is_left(value: Any) -> bool:
    return type(value) is SymbolicTensor and bool(value._context.finished)


_ADDING = ("append", "appendleft", "add", "extend", "insert", "update", "setdefault")


def _stores(function: Any, kept: ObjectPath) -> Iterator[Site]:
    """The places in a function that put something where a value was found."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    body = None if code is None else syntax.function_of(code)
    if code is None or body is None:
        return
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
            if ast.unparse(node.func.value) in (kept.container, kept.text):
                yield site_of(node, code.co_filename, "stored here")
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in (part for each in targets for part in syntax.written_targets(each)):
                written = ast.unparse(target)
                if written in (kept.text, kept.container) or (
                    isinstance(target, ast.Subscript) and ast.unparse(target.value) == kept.container
                ):
                    yield site_of(target, code.co_filename, "stored here")
