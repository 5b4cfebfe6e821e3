"""Write `ops/fast_forms.py`: the functions of ops on one and on two tensors, rendered from one template.

    python -m tools.fast_forms          write the file, if it changed
    python -m tools.fast_forms --check  only say whether it is stale; the exit status is 1 if it is

The file is part of the package, so that `import whygrad` loads its bytecode and tracebacks show its lines.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap
from collections.abc import Sequence
from itertools import combinations

from whygrad.ops.fast_ops import OUTPUT_BIT

FILE = pathlib.Path(__file__).resolve().parents[1] / "src" / "whygrad" / "ops" / "fast_forms.py"
COMMAND = "python -m tools.fast_forms"
# For each form the names of its inputs, in the order of its parameters. The primitive takes them in alphabetical order.
FORMS = {
    "of_one_tensor": ("x",),
    "of_two_tensors": ("x", "y"),
    "of_two_reflected": ("y", "x"),
    "with_attributes": ("x",),
}

HEADER = f'''"""The functions of ops on one and two tensors. Written by `{COMMAND}`: edit the template there.

`whygrad.ops.fast_ops` says what they may assume, and what each argument is.
"""
# mypy: disable-error-code="attr-defined"

from __future__ import annotations

from typing import Any

from numpy import asarray, ndarray

from whygrad.runtime.call_sites import frame_at, last, users_code
from whygrad.runtime.error_state import silently
from whygrad.values.composite import on_composites
from whygrad.values.conversion import readers
from whygrad.values.errors import CompositeGiven
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Key, Tensor, as_array, key_of

new_tensor = Tensor.__new__
NO_ATTRIBUTES: dict[str, Any] = {{}}
Plain: Any = Tensor  # the class of operands that the functions take; `use_fast_forms` changes it
'''

# How to read the template. In braces stands what is written for each input, with `x` for the input's name and `BIT` for its bit in
# a mask, and after `|` what stands between (a comma if nothing does); `{+...}` is written for each input but the first. Lines
# that begin with `each:` are repeated for each input. Words in capitals, such as PREPARED and CONVERT, are made below.
TEMPLATE = """\
def MAKE(compute: Any, usual: Any, wide: Any, rest: Any) -> Any:
PREPARED    plans: list[Any] = [None] * 8  # by the mask of watched inputs, as they are needed

    def op(PARAMETERS, name: Any = None) -> Any:
        if {type(x) is not Plain| or }:
CONVERT        each:x_array = x._array
        dtype = x_array.dtype
        if {+x_array.dtype is not dtype or }(dtype is not usual and dtype is not wide and dtype.kind not in rest.kinds):
            return rest.general({x})
        try:
            out = silently(COMPUTE, {x_array})
        except Exception as error:
            out = rest.failed(error, compute, {x})
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = asarray(out) if dtype.kind != "O" else as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(DEPTH)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        each:x_key = x._key
        each:if x_key is None:
        each:    x_key = key_of(x)
        output = made._key = Key()
        output.shape = SHAPE  # of the keys, as far as they have it: an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder: Any = recorders[0]
        mark = recorder.mark
        mask = {(BIT if x_key.mark is mark or x_key in recorder.unmarked else 0)| + }
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = rest.plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = KEPT
            if dtype is usual or dtype is wide:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            kept = None
            output.mark = mark if plan.watches and dtype.kind in "fcV" else None
        record = (plan, output, kept, ATTRIBUTES, code, frame.f_lasti, {x_key})
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            if len(recorders) > 2 or observers or not (dtype is usual or dtype is wide):
                rest.tell_recorders(recorders[1:], ({x},), ({x_key},), made, output, ATTRIBUTES, code, frame.f_lasti)
                return made
            recorder = recorders[1]  # as for the first, but that the output may have a mark already
            mark = recorder.mark
            mask = {(BIT if x_key.mark is mark or x_key in recorder.unmarked else 0)| + }
            plan = plans[mask]
            if plan is None:
                plan = plans[mask] = rest.plan_for(mask)
            kept = None
            if plan.differentiates:
                keeps = plan.keeps
                kept = KEPT
            if plan.watches:
                if output.mark is None:
                    output.mark = mark
                else:
                    recorder.unmarked.add(output)
            append = recorder.append
            append((plan, output, kept, ATTRIBUTES, code, frame.f_lasti, {x_key}))
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, ({x},), made)
        else:
            append = recorder.append
            append(record)
            rest.show(record, ({x},), made)
        return made

    return op
"""


def source_of(name: str, parameters: Sequence[str]) -> str:
    """The source of what makes the function of an op whose parameters have these names."""
    inputs = sorted(parameters)

    def repeated(text: str, names: Sequence[str] = inputs) -> list[str]:
        numbered = [(name, str(1 << inputs.index(name))) for name in names]
        return [re.sub(r"\bx(?=\b|_)", name, text).replace("BIT", bit) for name, bit in numbered]

    def filled(braces: re.Match[str]) -> str:
        text, _, between = braces[1].partition("|")
        if text.startswith("+"):
            return "".join(repeated(text[1:], inputs[1:]))
        return (between or ", ").join(repeated(text))

    of_one, attributed = len(inputs) == 1, name == "with_attributes"
    source = TEMPLATE.replace("CONVERT", _CONVERT if of_one else _SECOND + textwrap.indent(_CONVERT, "    "))
    source = re.sub(r"(?m)(?:^ +each:.*\n)+", lambda block: "".join(repeated(block[0].replace("each:", ""))), source)
    source = re.sub(r"\{([^}]*)\}", filled, source)
    # A kernel shares many elements out among threads. Few are computed by the ufunc itself, with no frame between.
    by_size = of_one and not attributed
    compute = "few if many is None or x_array.size < many else compute" if by_size else "compute"
    pieces = {
        "PREPARED": _ATTRIBUTES if attributed else _SIZES if of_one else "",
        "ATTRIBUTES": "attributes" if attributed else "NO_ATTRIBUTES",
        "DEPTH": "3" if attributed else "1",  # of the user's frame: two functions of ours call a form with attributes
        "FIRST": parameters[0],
        "SECOND": parameters[-1],
        "PARAMETERS": ", ".join(f"{each}: Any" for each in parameters),
        "GIVEN": ", ".join(parameters) + ",",
        "SHAPE": "out.shape" if attributed else "x_key.shape" if of_one else _SHAPE_OF_TWO,
        "COMPUTE": compute,
        "KEPT": _kept(inputs),
        "MAKE": name,
    }
    for placeholder, text in pieces.items():
        source = source.replace(placeholder, text)
    return source


_CONVERT = """\
            try:
                {x} = rest.operands({x})
            except CompositeGiven as error:
                return on_composites(op, (GIVEN), error)
            if {type(x) is not Plain| or }:
                return rest.general({x})
"""
# By far the commonest operands that are not tensors need no call to convert them: a number that was met before, and a variable.
_SECOND = """\
            met = None
            if type(FIRST) is Plain:
                kind = type(SECOND)
                if kind is float:
                    if not observers:
                        dtype = FIRST._array.dtype
                        if dtype is usual:
                            met = rest.usual_numbers.get(SECOND)
                        elif dtype is wide:
                            met = rest.wide_numbers.get(SECOND)
                elif kind in readers:
                    met = readers[kind](SECOND)
            if type(met) is Plain:
                SECOND = met
            else:
"""
_ATTRIBUTES = "    attributes: dict[str, Any] = rest.attributes\n"
_SIZES = """\
    few = getattr(compute, "of_few", compute)
    many = getattr(compute, "many", None)
"""
# The operands' own tuple, if one of them has the result's shape.
_SHAPE_OF_TWO = (
    "x_key.shape if y_key.shape is x_key.shape or not y_key.shape or out.shape == x_key.shape"
    " else y_key.shape if not x_key.shape or out.shape == y_key.shape else out.shape"
)


def _kept(inputs: Sequence[str]) -> str:
    """The list of what is kept, for each value of `keeps`: all inputs, which is the commonest, then nothing, then the others."""
    bits = {name: 1 << i for i, name in enumerate(inputs)} | {"made": OUTPUT_BIT}
    subsets = [chosen for size in range(1, len(bits) + 1) for chosen in combinations(bits, size)]
    subsets.sort(key=lambda chosen: chosen != tuple(inputs))
    first, *others, final = [(f"[{', '.join(chosen)}]", sum(map(bits.__getitem__, chosen))) for chosen in subsets]
    cases = [f"{kept} if keeps == {keeps}" for kept, keeps in others]
    return " else ".join([f"{first[0]} if keeps == {first[1]}", "() if not keeps", *cases, final[0]])


def rendered() -> str:
    """The whole file."""
    return "\n\n".join([HEADER, *[source_of(name, inputs) for name, inputs in FORMS.items()]])


def main(arguments: Sequence[str]) -> int:
    """Write the file, or compare it."""
    text = rendered()
    if FILE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print(f"{FILE.name} is stale: run {COMMAND}")
        return 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
