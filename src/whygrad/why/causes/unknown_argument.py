"""invalid-argument: a function is called with the name of an argument that it does not have, as PyTorch or TensorFlow 1 call it."""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from types import ModuleType, TracebackType
from typing import Any

from whygrad.runtime.call_sites import is_whygrads
from whygrad.why.cause import Cause
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.wording import quoted

# What an argument is called here, by what TensorFlow 1, PyTorch and NumPy call it.
_HERE = {
    "axes": "axis", "dim": "axis", "dimension": "axis", "dims": "axis", "reduction_indices": "axis", "keep_dims": "keepdims",
    "keepdim": "keepdims", "persist": "persistent", "loc": "mean", "size": "shape",
}  # fmt: skip
_HINTS = {"requires_grad": "a tape watches each tf.Variable by itself, and another tensor after tape.watch(x)"}


_UNEXPECTED = re.compile(r"got an unexpected keyword argument '(\w+)'")


def explain(error: BaseException, frame: TracebackType) -> Cause | None:
    """The cause of Python's TypeError about an unexpected keyword argument of a function of whygrad."""
    said = _UNEXPECTED.search(str(error)) if type(error) is TypeError else None
    call = node_at(frame.tb_frame.f_code, frame.tb_lasti)
    if said is None or not isinstance(call, ast.Call):
        return None
    name, file = said[1], frame.tb_frame.f_code.co_filename
    written = next((each for each in call.keywords if each.arg == name), None)
    function = _value_of(call.func, frame)
    if written is None or not _is_ours(function):
        return None
    known = [each for each in inspect.signature(function).parameters if each not in ("self", "args", "kwargs")]
    here = _HERE.get(name, "")
    meant = [here] if here in known else difflib.get_close_matches(name, known, n=1)
    repair = Repair(_HINTS.get(name) or f"it takes {', '.join(known)}")
    if meant:
        text = f"{meant[0]}={ast.unparse(written.value)}"
        repair = Repair(f"write {text}", (replaced(file, written, text),))
    return Cause(
        "invalid-argument",
        "exception",
        f"{ast.unparse(call.func)} has no argument {quoted(name)}",
        (site(frame.tb_frame.f_code, frame.tb_lasti, "called here"),),
        repair.help,
        edits=repair.edits,
    )


def _is_ours(function: Any) -> bool:
    """Whether whygrad defines a function, or the class that is called."""
    called = inspect.getattr_static(function, "__init__") if isinstance(function, type) else function
    code = getattr(inspect.unwrap(called), "__code__", None) if callable(called) else None
    return code is not None and is_whygrads(code.co_filename)


def _value_of(node: ast.expr, frame: TracebackType) -> Any:
    """A function that is written as a name or attributes of one; None where finding it could run code of the program."""
    if isinstance(node, ast.Name):
        here = frame.tb_frame
        return here.f_locals.get(node.id, here.f_globals.get(node.id))
    owner = _value_of(node.value, frame) if isinstance(node, ast.Attribute) else None
    if owner is None or not isinstance(node, ast.Attribute):
        return None
    if isinstance(owner, ModuleType):
        return getattr(owner, node.attr, None)
    return inspect.getattr_static(owner, node.attr, None)
