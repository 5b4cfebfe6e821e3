"""IndexedSlices: some rows of a large tensor, the gradient of a lookup."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.values import conversion, dtypes, shapes
from whygrad.values.errors import OpAttributeError, OpTypeError
from whygrad.values.tensor import Tensor


@export("IndexedSlices")
class IndexedSlices:
    """Rows `values` for the positions `indices` of a tensor of shape `dense_shape`; rows named twice are added up.

    The gradient of `gather` and of embedding lookup has this form, so that it costs the rows touched. It becomes a dense
    tensor where one is needed: `tf.convert_to_tensor(slices)`.

    >>> import whygrad as tf
    >>> slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 2]), tf.constant([3, 1]))
    >>> tf.convert_to_tensor(slices).numpy().tolist()
    [[1.0], [0.0], [2.0]]
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        # As they are given: what writes them to a variable converts them to the dtype of the variable.
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._values if isinstance(self._values, Tensor) else conversion.convert(self._values, None)

    @property
    def indices(self) -> Tensor:
        """Where the rows belong."""
        return self._indices if isinstance(self._indices, Tensor) else conversion.convert(self._indices, None)

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the dense tensor; None where it is not known."""
        if self._dense_shape is None or isinstance(self._dense_shape, Tensor):
            return self._dense_shape
        return conversion.convert(self._dense_shape, dtypes.int32)  # a sweep leaves the plain shape

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
        """No name: eager tensors have none."""
        return None

    @property
    def device(self) -> str:
        """Where the rows live."""
        return self.values.device

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self._indices, self._dense_shape)

    # -- what it is not: each refusal in Python's words, by an error that can say what to do instead --

    def __getattr__(self, name: str) -> Any:
        raise OpAttributeError(f"'IndexedSlices' object has no attribute '{name}'", name=name, obj=self)

    def __getitem__(self, index: Any) -> Any:
        raise OpTypeError("'IndexedSlices' object is not subscriptable")

    __iter__ = None  # not iterable, although __getitem__ would do for Python

    def __str__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"

    __repr__ = __str__


def _refusing(name: str, sign: str) -> tuple[Any, Any]:
    """The methods of an operator: they give way to an operand that knows better, and refuse all others."""

    def method(self: IndexedSlices, other: Any) -> Any:
        kind = type(other)
        if kind is not IndexedSlices and kind.__module__ != "builtins" and hasattr(kind, f"__r{name}__"):
            return NotImplemented
        raise OpTypeError(f"unsupported operand type(s) for {sign}: 'IndexedSlices' and '{type(other).__name__}'")

    def reflected(self: IndexedSlices, other: Any) -> Any:
        raise OpTypeError(f"unsupported operand type(s) for {sign}: '{type(other).__name__}' and 'IndexedSlices'")

    return method, reflected


for _name, _sign in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "** or pow()"),
    ("matmul", "@"),
):  # fmt: skip
    _method, _reflected = _refusing(_name, _sign)
    setattr(IndexedSlices, f"__{_name}__", _method)
    setattr(IndexedSlices, f"__r{_name}__", _reflected)
