"""The namespace that rules run on when their own derivative is wanted: Tensors in, Tensors out, everything recorded.

It has NumPy's names (from `whygrad.numpy`) and, under the same names as on an engine, the kernels.
"""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import apply, registered
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor


class RecordedNamespace:
    """`xp` for rules that run on Tensors."""

    def __getattr__(self, name: str) -> Any:
        import whygrad.numpy as recorded_numpy

        function = getattr(recorded_numpy, name, None)
        if function is None:
            primitive = registered().get(name)
            if primitive is None:
                raise AttributeError(
                    f"rules may not use xp.{name}: neither whygrad.numpy nor a primitive has that name"
                )

            def function(*inputs: Any, **attributes: Any) -> Any:
                return apply(primitive, *[t if type(t) is Tensor else convert(t, None) for t in inputs], **attributes)

        setattr(self, name, function)
        return function


recorded = RecordedNamespace()
