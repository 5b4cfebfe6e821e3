"""The namespace for rules that are differentiated themselves: Tensors in, Tensors out, everything recorded.

It has NumPy's names (from `whygrad.numpy`) and the kernels, under the same names as on an engine.
"""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Primitive, apply, registered
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor


class RecordedNamespace:
    """`xp` for rules that run on Tensors."""

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
        setattr(self, name, function)
        return function


recorded = RecordedNamespace()


def every_primitive() -> dict[str, Primitive]:
    """All primitives by name; loads the families of ops that are not loaded yet."""
    import importlib
    import pkgutil

    from whygrad import ops

    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."):
        importlib.import_module(module.name)
    return registered()
