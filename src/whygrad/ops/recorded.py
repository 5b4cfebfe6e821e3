"""The namespace for rules that are differentiated themselves: Tensors in, Tensors out, everything recorded.

It has NumPy's names (from `whygrad.numpy`) and the kernels, under the same names as on an engine.
"""

from __future__ import annotations

import functools
from typing import Any

from whygrad.ops.primitive import Primitive, apply, op_function, registered
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor

# What rules call most. whygrad.numpy's functions spend more time on their arguments than these on tensors of a few hundred elements.
FAST = frozenset(
    (
        "cos", "cosh", "divide_no_nan", "exp", "expm1", "log", "log1p", "multiply_no_nan", "power", "relu_grad", "sigmoid", "sigmoid_grad",
        "sin", "sinh", "sqrt", "tan", "tanh", "tanh_grad", "xdivy",
    )
)  # fmt: skip


class RecordedNamespace:
    """`xp` for rules that run on Tensors."""

    @functools.cached_property
    def sum(self) -> Any:
        """NumPy's sum of floating point tensors over axes that are known to be there."""
        from whygrad.numpy import sum as of_anything
        from whygrad.ops.reductions import reduce_sum

        def function(x: Any, axis: Any = None, **options: Any) -> Any:
            if type(x) is Tensor and x._array.dtype.kind == "f" and not options.keys() - _KEPT:
                return reduce_sum(x, axis, **options)
            return of_anything(x, axis, **options)

        return function

    @functools.cached_property
    def matmul(self) -> Any:
        """NumPy's product: of two matrices it is the operator."""
        from whygrad.numpy import matmul as of_anything

        def function(a: Any, b: Any) -> Any:
            if (
                type(a) is type(b) is Tensor
                and a._array.ndim == b._array.ndim == 2
                and a._array.dtype is b._array.dtype
            ):
                return a @ b
            return of_anything(a, b)

        return function

    def __getattr__(self, name: str) -> Any:
        import whygrad.numpy as recorded_numpy

        function = getattr(recorded_numpy, name, None)
        if function is None:
            primitive = registered().get(name) or every_primitive().get(name)
            if primitive is None:
                raise AttributeError(
                    f"rules may not use xp.{name}: neither whygrad.numpy nor a primitive has that name"
                )

            def function(*inputs: Any, **attributes: Any) -> Any:
                return apply(primitive, *[t if type(t) is Tensor else convert(t, None) for t in inputs], **attributes)

            if primitive.from_outside:  # may be declared again
                return function
        if name in FAST:
            function = op_function(registered()[name], "float", _as_given, general=function)
        setattr(self, name, function)
        return function


_KEPT = frozenset({"keepdims"})


def _as_given(*operands: Any) -> Any:
    """The operands of a fast form, which leaves all that are not tensors of one floating point dtype to the function it stands for."""
    return operands if len(operands) > 1 else operands[0]


recorded = RecordedNamespace()


def every_primitive() -> dict[str, Primitive]:
    """All primitives by name; loads the families of ops that are not loaded yet."""
    import importlib
    import pkgutil

    from whygrad import ops

    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."):
        importlib.import_module(module.name)
    return registered()
