"""WeakTensor: a tensor whose dtype yields to the dtype of the other operand, as that of a Python number does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert, readers
from whygrad.values.errors import OpTypeError
from whygrad.values.tensor import Operand, Tensor

ALLOWED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.complex128)


class WeakTensor(TensorLikeComposite, Operand):
    """A tensor of a weak dtype. They exist in the promotion modes "safe" and "all" alone; ops outside of promotion read the tensor.

    The operators are set with those modes (`whygrad.numpy.weak_promotion`).
    """

    __slots__ = ("__weakref__", "tensor")

    tensor: Tensor

    __array_priority__ = 100

    def __init__(self, tensor: Tensor) -> None:
        if tensor.dtype not in ALLOWED:
            raise OpTypeError(f"{tensor.dtype!r} not allowed as a weak type. The allowed types are {ALLOWED}.")
        self.tensor = tensor

    def to_tensor(self) -> Tensor:
        """The same value, with a dtype that does not yield."""
        return self.tensor

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.tensor, name)

    # -- what tapes, functions and `tf.nest` see --

    def _components(self) -> Sequence[Any]:
        return [self.tensor]

    def _with_components(self, components: Sequence[Any]) -> WeakTensor:
        return WeakTensor(components[0])

    def _mapped(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        return NotImplemented

    def _held(self) -> Tensor:
        return self.tensor

    def _with_held(self, values: Any) -> WeakTensor:
        return WeakTensor(convert(values, None))

    # -- conversion to Python and NumPy --

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.tensor.__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self.tensor)

    def __int__(self) -> int:
        return int(self.tensor)

    def __float__(self) -> float:
        return float(self.tensor)

    def __complex__(self) -> complex:
        return complex(self.tensor)

    def __index__(self) -> int:
        return self.tensor.__index__()

    def __len__(self) -> int:
        return len(self.tensor)

    def __iter__(self) -> Iterator[WeakTensor]:
        return (WeakTensor(each) for each in self.tensor)

    def __getitem__(self, key: Any) -> Tensor:
        return self.tensor[key]

    def __hash__(self) -> NoReturn:
        raise OpTypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __copy__(self) -> WeakTensor:
        return self

    def __deepcopy__(self, memo: Any) -> WeakTensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return WeakTensor, (self.tensor,)

    # -- printing --

    def __format__(self, spec: str) -> str:
        return f"{format(self.tensor, spec)} weakly typed"

    def __str__(self) -> str:
        return _marked(str(self.tensor))

    def __repr__(self) -> str:
        return _marked(repr(self.tensor))


def _marked(text: str) -> str:
    """A tensor's text with the mark of weakness before its closing bracket."""
    return f"{text[:-1]}, weak=True{text[-1]}"


def _read(weak: WeakTensor) -> Tensor:
    return convert(weak.tensor, None)


readers[WeakTensor] = _read
