"""IndexedSlices: a sparse gradient, such as that of a lookup."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.runtime.code_objects import rename
from whygrad.values import conversion, dtypes, shapes
from whygrad.values.errors import OpAttributeError, OpTypeError
from whygrad.values.faults import SparseAsDense
from whygrad.values.tensor import Tensor


@export("IndexedSlices")
class IndexedSlices:
    """Rows `values` at the positions `indices` of a tensor of shape `dense_shape`; duplicate rows are added up.

    The gradient of `gather` and of embedding lookups has this form, so that it costs only the rows touched. Convert it to a dense
    tensor with `tf.convert_to_tensor(slices)`.

    >>> import whygrad as tf
    >>> slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 2]), tf.constant([3, 1]))
    >>> tf.convert_to_tensor(slices).numpy().tolist()
    [[1.0], [0.0], [2.0]]
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        # Not converted: writing them to a variable converts them to the variable's dtype.
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    def _components(self) -> list[Tensor]:
        """The tensors that it consists of, as `tf.nest` expands it."""
        parts = [self.values, self.indices]
        return parts if self.dense_shape is None else [*parts, self.dense_shape]

    def _with_components(self, components: list[Any]) -> IndexedSlices:
        """An IndexedSlices of these tensors."""
        return IndexedSlices(*components)

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._values if isinstance(self._values, Tensor) else conversion.convert(self._values, None)

    @property
    def indices(self) -> Tensor:
        """The positions of the rows."""
        return self._indices if isinstance(self._indices, Tensor) else conversion.convert(self._indices, None)

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the dense tensor; None if unknown."""
        if self._dense_shape is None or isinstance(self._dense_shape, Tensor):
            return self._dense_shape
        return conversion.convert(self._dense_shape, dtypes.int32)  # a sweep stores the plain shape

    @property
    def shape(self) -> shapes.TensorShape:
        """The shape of the dense tensor."""
        shape = self.dense_shape
        return shapes.TensorShape(None if shape is None else shape._array.tolist())

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the rows."""
        return self.values.dtype

    @property
    def name(self) -> str | None:
        """None: eager tensors have no name."""
        return None

    @property
    def device(self) -> str:
        """The device of the rows."""
        return self.values.device

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self._indices, self._dense_shape)

    # -- unsupported operations: each raises Python's message, in an error that can also say what to do instead --

    def __getattr__(self, name: str) -> Any:
        message = f"'IndexedSlices' object has no attribute '{name}'"
        raise OpAttributeError(SparseAsDense(message=message), name=name, obj=self)

    def __getitem__(self, index: Any) -> Any:
        raise OpTypeError(SparseAsDense(message="'IndexedSlices' object is not subscriptable"))

    __iter__ = None  # not iterable, although Python would otherwise fall back to __getitem__

    def __str__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"

    __repr__ = __str__


def _refusing(name: str, sign: str) -> tuple[Any, Any]:
    """The methods of an operator: they defer to an operand that supports it, and raise for all others."""

    def method(self: IndexedSlices, other: Any) -> Any:
        kind = type(other)
        if kind is not IndexedSlices and kind.__module__ != "builtins" and hasattr(kind, f"__r{name}__"):
            return NotImplemented
        message = f"unsupported operand type(s) for {sign}: 'IndexedSlices' and '{type(other).__name__}'"
        raise OpTypeError(SparseAsDense(message=message))

    def reflected(self: IndexedSlices, other: Any) -> Any:
        message = f"unsupported operand type(s) for {sign}: '{type(other).__name__}' and 'IndexedSlices'"
        raise OpTypeError(SparseAsDense(message=message))

    return method, reflected


for _name, _sign in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "** or pow()"),
    ("matmul", "@"),
):  # fmt: skip
    for _made, _special in zip(_refusing(_name, _sign), (f"__{_name}__", f"__r{_name}__")):
        rename(_made, _special, f"IndexedSlices.{_special}")
        setattr(IndexedSlices, _special, _made)
