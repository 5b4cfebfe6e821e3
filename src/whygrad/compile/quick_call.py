"""A function that was called with one kind of arguments so far: its calls without a lookup.

A small compiled call takes JAX three microseconds, and looking up its version by the shapes and dtypes of the arguments half a
microsecond more. JAX compares them again: while there is one version, it is called as if they fitted, and if they do not, JAX refuses
before it computes anything. The function is written for its numbers of arguments and results, so that it has no loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.compile.compiled_call import NOT_SEEN, Executable
from whygrad.compile.signature import expression_of
from whygrad.engines.loading import engine
from whygrad.values.tensor import DeviceTensor, Tensor

_MOST = 16  # arguments, captured values and results together; larger calls take longer anyway

# Arrays on the device are compared by JAX, but not NumPy's, which it may convert: float64 to float32.
_ARGUMENT = """
    kind = type(t{0})
    if kind is DeviceTensor:
        a{0} = t{0}._array
    elif kind is Tensor:
        seen, a{0} = seen_before.get({0}, NOT_SEEN)
        if a{0} is None or seen() is not t{0}:
            a{0} = t{0}._array
            if a{0}.shape != shape{0} or a{0}.dtype is not dtype{0}:
                return NotImplemented
            a{0} = placed({0}, t{0})
    else:
        return NotImplemented"""
_RESULT = """
    r{0} = new(DeviceTensor)
    r{0}._array = o{0}
    r{0}._key = r{0}._host = None"""
_CALL = """
def quick(args):
    if executable._run is not run or len(args) != {count}:
        return NotImplemented{unpacked}{arguments}
    try:
        {outputs} = run({given})
    except TypeError:  # from JAX's comparison: what runs calls no Python
        return NotImplemented{results}
    return {expression}
"""


def quick_call(executable: Executable, structure: Any) -> Callable[[tuple[Any, ...]], Any] | None:
    """Return a function from the arguments of a call, tensors, to its result, or to `NotImplemented` for other arguments than its own.

    It is for calls that no recorder sees. None where the general call is needed.
    """
    captured = executable.captured_values()
    expression = expression_of(structure, "r{}")
    inputs, results = executable.traced.inputs, executable.results
    if captured is None or expression is None or len(inputs) + len(captured) + results > _MOST:
        return None
    run = executable.run_often()
    if not engine().compares_arguments(run):
        return None
    count = len(inputs)
    names: dict[str, Any] = {
        "executable": executable,
        "run": run,
        "seen_before": executable._seen,
        "placed": executable._placed,
        "NOT_SEEN": NOT_SEEN,
        "Tensor": Tensor,
        "DeviceTensor": DeviceTensor,
        "new": DeviceTensor.__new__,
    }
    for i, each in enumerate(inputs):
        names[f"shape{i}"], names[f"dtype{i}"] = tuple(each.shape), np.dtype(each.dtype)
    for i, tensor in enumerate(captured):
        names[f"c{i}"] = tensor
    given = [f"a{i}" for i in range(count)] + [f"c{i}._array" for i in range(len(captured))]
    source = _CALL.format(
        count=count,
        unpacked="".join(["\n    ", *[f"t{i}, " for i in range(count)], "= args"]) if count else "",
        arguments="".join([_ARGUMENT.format(i) for i in range(count)]),
        outputs="[" + ", ".join(f"o{i}" for i in range(results)) + "]",
        given=", ".join(given),
        results="".join([_RESULT.format(i) for i in range(results)]),
        expression=expression,
    )
    exec(source, names)
    return names.pop("quick")  # type: ignore[no-any-return]
