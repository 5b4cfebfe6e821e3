"""The functions of ops on one and two tensors: `apply` and `record` of `whygrad.ops.primitive`, written out for speed.

These functions make up most of a program, and every function call inside them would show. Both are rendered from one template,
so that what is written out stands in one place. They may assume plain NumPy tensors of an allowed dtype, one output and no
attributes; everything else goes to the op's general form, which calls `apply`. tests/ops/test_fast_ops.py compares values,
gradients, records and errors of the two over the whole table of ops.

`use_fast_forms(False)`, or WHYGRAD_FAST=0 in the environment, sends every call to the general form.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from whygrad.runtime.call_sites import GENERATED, frame_at, last, users_code
from whygrad.runtime.error_state import silently
from whygrad.runtime.switches import switches
from whygrad.values.composite import on_composites
from whygrad.values.errors import CompositeGiven
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Key, Tensor, as_array, key_of

# How to read the template. In braces stands what is written for each input, with `x` for the input's name and `BIT` for its bit in
# a mask, and after `|` what stands between (a comma if nothing does); `{+...}` is written for each input but the first. Lines
# that begin with `each:` are repeated for each input. KEPT and COMPUTE are made below.
TEMPLATE = """\
def make(general, operands, compute, failed, plan_for, tell_recorders, show, kinds, usual):
    few = getattr(compute, "of_few", compute)
    many = getattr(compute, "many", None)
    plans = [None] * 8  # by the mask of watched inputs, as they are needed

    def op({x}, name=None):
        if {type(x) is not Plain| or }:
            try:
                {x} = operands({x})
            except CompositeGiven as error:
                return on_composites(op, ({x},), error)
            if {type(x) is not Plain| or }:
                return general({x})
        each:x_array = x._array
        dtype = x_array.dtype
        if {+x_array.dtype is not dtype or }(dtype is not usual and dtype.kind not in kinds):
            return general({x})
        try:
            out = silently(COMPUTE, {x_array})
        except Exception as error:
            out = failed(error, compute, {x})
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(1)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        each:x_key = x._key
        each:if x_key is None:
        each:    x_key = key_of(x)
        output = made._key = Key()
        shape = x_key.shape
        output.shape = shape{+ if x_key.shape is shape else out.shape}  # an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder = recorders[0]
        mark = recorder.mark
        mask = {(BIT if x_key.mark is mark or x_key in recorder.unmarked else 0)| + }
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = KEPT
            if dtype is usual:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            output.mark = kept = None
        record = (plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, {x_key})
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            tell_recorders(recorders[1:], ({x},), ({x_key},), made, output, NO_ATTRIBUTES, code, frame.f_lasti)
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, ({x},), made)
        else:
            append = recorder.append
            append(record)
            show(record, ({x},), made)
        return made

    return op
"""
OUTPUT_BIT = 4  # `Plan.keeps` is the sum of this, if the output is kept, and of the bits of the inputs that are


def source_of(inputs: Sequence[str]) -> str:
    """The source of `make`, which makes the function of an op on inputs of these names."""

    def repeated(text: str, names: Sequence[str] = inputs) -> list[str]:
        numbered = [(name, str(1 << inputs.index(name))) for name in names]
        return [re.sub(r"\bx(?=\b|_)", name, text).replace("BIT", bit) for name, bit in numbered]

    def filled(braces: re.Match[str]) -> str:
        text, _, between = braces[1].partition("|")
        if text.startswith("+"):
            return "".join(repeated(text[1:], inputs[1:]))
        return (between or ", ").join(repeated(text))

    source = re.sub(r"(?m)(?:^ +each:.*\n)+", lambda block: "".join(repeated(block[0].replace("each:", ""))), TEMPLATE)
    source = re.sub(r"\{([^}]*)\}", filled, source)
    # A kernel shares many elements out among threads. Few are computed by the ufunc itself, with no frame between.
    compute = "few if many is None or x_array.size < many else compute" if len(inputs) == 1 else "compute"
    return source.replace("COMPUTE", compute).replace("KEPT", _kept(inputs))


def _kept(inputs: Sequence[str]) -> str:
    """The list of what is kept, for each value of `keeps`: all inputs, which is the commonest, then nothing, then the others."""
    bits = {name: 1 << i for i, name in enumerate(inputs)} | {"made": OUTPUT_BIT}
    subsets = [chosen for size in range(1, len(bits) + 1) for chosen in combinations(bits, size)]
    subsets.sort(key=lambda chosen: chosen != tuple(inputs))
    first, *others, final = [(f"[{', '.join(chosen)}]", sum(map(bits.__getitem__, chosen))) for chosen in subsets]
    cases = [f"{kept} if keeps == {keeps}" for kept, keeps in others]
    return " else ".join([f"{first[0]} if keeps == {first[1]}", "() if not keeps", *cases, final[0]])


def fast_op(inputs: Sequence[str], **given: Any) -> Callable[..., Any]:
    """The fast form of an op on inputs of these names.

    general         the general form: takes the operands after `operands`
    operands        converts the arguments to tensors, in the general form too
    compute         the primitive on NumPy arrays
    failed          called with an error, `compute` and the inputs: gives the output nevertheless, or raises
    plan_for        the plan for a mask of watched inputs
    tell_recorders  appends the record to further recorders
    show            shows the record to observers
    kinds           the kinds of dtypes that are allowed
    usual           a dtype that is one of them and differentiable, or None
    """
    make = _makers.get(len(inputs)) or _compiled(inputs)
    return make(**given)  # type: ignore[no-any-return]


_makers: dict[int, Callable[..., Any]] = {}
_names: dict[str, Any] = {
    "CompositeGiven": CompositeGiven,
    "Key": Key,
    "NO_ATTRIBUTES": {},
    "Tensor": Tensor,
    "as_array": as_array,
    "frame_at": frame_at,
    "key_of": key_of,
    "last": last,
    "ndarray": np.ndarray,
    "new_tensor": Tensor.__new__,
    "observers": observers,
    "on_composites": on_composites,
    "silently": silently,
    "state": state,
    "users_code": users_code,
}


class _Never:
    """A class without instances: switched off, no operand is of the class that the fast forms take."""


def use_fast_forms(on: bool) -> None:
    """Use the fast forms of ops and of the sweep, or the reference alone."""
    switches.fast = on
    _names["Plain"] = Tensor if on else _Never


use_fast_forms(switches.fast)


def _compiled(inputs: Sequence[str]) -> Callable[..., Any]:
    """`make` for so many inputs, whose source tracebacks and debuggers show under a name of its own."""
    source = source_of(inputs)
    filename = GENERATED + ("one tensor>", "two tensors>")[len(inputs) - 1]
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), _names, namespace)
    made: Callable[..., Any] = namespace["make"]
    _makers[len(inputs)] = made
    return made
