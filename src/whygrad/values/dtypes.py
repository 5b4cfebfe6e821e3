"""DType: TensorFlow's dtype objects over NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.values.errors import OpTypeError, OpValueError

# TensorFlow's DataType numbers, which programs and checkpoints compare.
_ENUM = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7, "complex64": 8,
    "int64": 9, "bool": 10, "bfloat16": 14, "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
    "float8_e5m2": 24, "float8_e4m3fn": 25,
}  # fmt: skip

# NumPy gets these from ml_dtypes, which is loaded when one of them is first used, not on import.
_OF_ML_DTYPES = ("bfloat16", "float8_e5m2", "float8_e4m3fn")

# The names in messages from TensorFlow's C++ ("expected to be a float tensor but is a double tensor").
_CXX_NAMES = {"float32": "float", "float64": "double", "float16": "half"}


@export("DType", "dtypes.DType")
class DType:
    """The type of a tensor's elements.

    >>> import whygrad as tf
    >>> tf.float32
    tf.float32
    >>> tf.float32 == "float32", tf.int32.max, tf.complex64.real_dtype
    (True, 2147483647, tf.float32)
    """

    __slots__ = ("_hash", "_np", "is_complex", "is_differentiable", "is_floating", "is_integer", "is_numeric", "name")

    name: str
    is_floating: bool  # whether it is a (non-complex) floating point type
    is_complex: bool
    is_integer: bool  # excludes bool
    is_numeric: bool
    is_differentiable: bool  # whether gradients flow through tensors of this dtype

    def __init__(self, name: str, np_dtype: Any) -> None:
        self.name = name
        self._np = np_dtype  # the numpy dtype, or None until a type of ml_dtypes' is first used
        self._hash = _ENUM[name]
        self.is_floating = "float" in name
        self.is_complex = name in ("complex64", "complex128")
        self.is_integer = "int" in name
        self.is_differentiable = self.is_floating or self.is_complex
        self.is_numeric = self.is_differentiable or self.is_integer

    @property
    def numpy_dtype(self) -> np.dtype[Any]:
        """The `numpy.dtype` of arrays of this type."""
        if self._np is None:
            import ml_dtypes

            self._np = np.dtype(getattr(ml_dtypes, self.name))
            _BY_NUMPY[self._np] = self
        return self._np  # type: ignore[no-any-return]

    @property
    def as_numpy_dtype(self) -> Any:
        """The scalar type, such as `numpy.float32`."""
        return object if self.name == "string" else self.numpy_dtype.type

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number for the type."""
        return _ENUM[self.name]

    @property
    def base_dtype(self) -> DType:
        """The type itself: there are no reference types."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The type of the real part of a complex type; otherwise the type itself."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def cxx_name(self) -> str:
        """The name used in TensorFlow's error messages."""
        return _CXX_NAMES.get(self.name, self.name)

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.name.startswith("uint")

    @property
    def is_bool(self) -> bool:
        """Whether it is bool."""
        return self.name == "bool"

    @property
    def is_quantized(self) -> bool:
        """Always False: quantized types are not supported."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """Always True: values are NumPy arrays."""
        return True

    @property
    def size(self) -> int:
        """The number of bytes per element."""
        return 0 if self.name == "string" else self.numpy_dtype.itemsize

    @property
    def min(self) -> Any:
        """The smallest finite value of the type."""
        return self._extreme("min")

    @property
    def max(self) -> Any:
        """The largest finite value of the type."""
        return self._extreme("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """`(0, max)` for integers, `(0, 1)` for floats and bool: the limits of an image's intensities."""
        if self.is_integer:
            return 0, self.max
        if self.is_floating or self.is_bool:
            return 0, 1
        raise OpValueError(f"{self} does not have defined limits.")

    def _extreme(self, which: str) -> Any:
        if self.is_integer:
            return getattr(np.iinfo(self.numpy_dtype), which)
        if self.name in _OF_ML_DTYPES:
            import ml_dtypes

            return getattr(ml_dtypes.finfo(self.numpy_dtype), which)  # type: ignore[no-untyped-call]
        if self.is_floating:
            return getattr(np.finfo(self.numpy_dtype), which)
        raise OpTypeError(f"Cannot find {which}imum value of {self} with type {self}.")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether `other` is the same type."""
        return self == as_dtype(other)

    def __eq__(self, other: object) -> bool:
        if type(other) is DType:
            return self is other
        if type(other) is str:  # as Keras compares them, many times a step
            return self is _BY_NAME.get(other)
        if other is None:
            return False
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __int__(self) -> int:
        return _ENUM[self.name]


float16 = export("float16", "dtypes.float16", "half", "dtypes.half")(DType("float16", np.dtype(np.float16)))
float32 = export("float32", "dtypes.float32")(DType("float32", np.dtype(np.float32)))
float64 = export("float64", "dtypes.float64", "double", "dtypes.double")(DType("float64", np.dtype(np.float64)))
bfloat16 = export("bfloat16", "dtypes.bfloat16")(DType("bfloat16", None))
# Types to store: they are cast to others to compute with them.
float8_e5m2 = export("experimental.float8_e5m2", "dtypes.experimental.float8_e5m2")(DType("float8_e5m2", None))
float8_e4m3fn = export("experimental.float8_e4m3fn", "dtypes.experimental.float8_e4m3fn")(DType("float8_e4m3fn", None))
complex64 = export("complex64", "dtypes.complex64")(DType("complex64", np.dtype(np.complex64)))
complex128 = export("complex128", "dtypes.complex128")(DType("complex128", np.dtype(np.complex128)))
int8 = export("int8", "dtypes.int8")(DType("int8", np.dtype(np.int8)))
int16 = export("int16", "dtypes.int16")(DType("int16", np.dtype(np.int16)))
int32 = export("int32", "dtypes.int32")(DType("int32", np.dtype(np.int32)))
int64 = export("int64", "dtypes.int64")(DType("int64", np.dtype(np.int64)))
uint8 = export("uint8", "dtypes.uint8")(DType("uint8", np.dtype(np.uint8)))
uint16 = export("uint16", "dtypes.uint16")(DType("uint16", np.dtype(np.uint16)))
uint32 = export("uint32", "dtypes.uint32")(DType("uint32", np.dtype(np.uint32)))
uint64 = export("uint64", "dtypes.uint64")(DType("uint64", np.dtype(np.uint64)))
bool_ = export("bool", "dtypes.bool")(DType("bool", np.dtype(np.bool_)))
string = export("string", "dtypes.string")(DType("string", np.dtype(object)))

ALL = (
    float16, float32, float64, bfloat16, complex64, complex128,
    int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool_, string,
)  # fmt: skip
_BY_NAME = {dtype.name: dtype for dtype in (*ALL, float8_e5m2, float8_e4m3fn)} | {
    "half": float16,
    "float": float32,
    "double": float64,
}
_BY_ENUM = {number: _BY_NAME[name] for name, number in _ENUM.items()}
_BY_NUMPY: dict[np.dtype[Any], DType] = {dtype._np: dtype for dtype in ALL if dtype._np is not None}
# The Python types with one meaning; TensorFlow rejects int (32 or 64 bits?), complex and str.
_BY_PYTHON: dict[Any, DType] = {float: float32, bool: bool_, object: string}


_BY_SCALAR: dict[type, DType] = {dtype._np.type: dtype for dtype in ALL if dtype._np is not None}


def of_array(array: Any) -> DType:
    """The DType of an array that a Tensor holds."""
    # Looked up by scalar type, which hashes in a third of the time of the dtype.
    return _BY_SCALAR.get(array.dtype.type) or as_dtype(array.dtype)


@export("as_dtype", "dtypes.as_dtype")
def as_dtype(type_value: Any) -> DType:
    """The DType for a name, a NumPy dtype or scalar type, a Python type, or TensorFlow's number.

    >>> import numpy as np, whygrad as tf
    >>> tf.as_dtype("float32"), tf.as_dtype(np.int64), tf.as_dtype(float)
    (tf.float32, tf.int64, tf.float32)
    """
    if type(type_value) is DType:
        return type_value
    if isinstance(type_value, str):
        found = _BY_NAME.get(type_value)
        if found is not None:
            return found
    elif isinstance(type_value, int):
        if type_value in _BY_ENUM:
            return _BY_ENUM[type_value]
    elif isinstance(type_value, type) and not issubclass(type_value, np.generic):
        found = _BY_PYTHON.get(type_value)
        if found is None and type_value.__name__ in _OF_ML_DTYPES:
            return as_dtype(np.dtype(type_value))
        if found is not None:
            return found
        if hasattr(type_value, "dtype"):
            return as_dtype(np.dtype(type_value.dtype))
    elif type_value is not None:
        if isinstance(type_value, np.ndarray):
            type_value = type_value.dtype
        try:
            np_dtype = np.dtype(type_value)
        except (TypeError, ValueError):
            pass
        else:
            if np_dtype.name in _OF_ML_DTYPES:
                _BY_NAME[np_dtype.name].numpy_dtype  # noqa: B018  (enters it into _BY_NUMPY)
            if np_dtype.kind in "SU":
                return string
            found = _BY_NUMPY.get(np_dtype.newbyteorder("="))
            if found is not None:
                return found
    raise OpTypeError(f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType.")
