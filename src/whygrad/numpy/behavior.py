"""NumPy's methods and operators on Tensors and Variables, switched on by `enable_dispatch` and by TensorFlow's switch."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.numpy.namespace import API_VERSIONS
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.values.weak_tensor import WeakTensor

_OWNERS = (Tensor, Variable, WeakTensor)
_WEAK_MODES = ("safe", "all")  # in which Python's numbers have weak dtypes
_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "power", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "left_shift", "rshift": "right_shift",
}  # fmt: skip
_COMPARISONS = {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}
_METHODS = (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "conj", "conjugate", "copy",
    "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "round",
    "searchsorted", "squeeze", "std", "sum", "swapaxes", "take", "trace", "var",
)  # fmt: skip
_OPERANDS = (Tensor, Variable, np.ndarray, np.generic, bool, int, float, complex, list, tuple)
_REFUSED = ("fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort")

_enabled_by: set[str] = set()  # the callers of `enable` that have not called `disable`
# The previous attributes under the names that were set; absent ones are missing.
_replaced: dict[tuple[type, str], Any] = {}
_absent = object()


def enable(caller: str, mode: str = "legacy") -> None:
    """Give Tensors and Variables NumPy's methods, indexing and the operators of a promotion mode, until `caller` disables them."""
    for owner in _OWNERS:
        wanted = {} if _enabled_by else _attributes(owner)
        if mode != "off" and owner is not WeakTensor and (owner, "__add__") not in _replaced:
            wanted = wanted | (_operators(owner) if mode == "legacy" else _promoting_operators(owner))
        for name, attribute in wanted.items():
            _replaced[owner, name] = owner.__dict__.get(name, _absent)
            setattr(owner, name, attribute)
    _enabled_by.add(caller)


def disable(caller: str) -> None:
    """Undo `enable`, once every caller of it has."""
    _enabled_by.discard(caller)
    if _enabled_by:
        return
    for (owner, name), before in _replaced.items():
        if before is _absent:
            delattr(owner, name)
        else:
            setattr(owner, name, before)
    _replaced.clear()


@functools.cache  # while they are not in force: `before` is TensorFlow's
def _operators(owner: type) -> dict[str, Any]:
    """The operators of NumPy's arrays, for Tensor or Variable."""
    import whygrad.numpy as wnp

    found: dict[str, Any] = {
        "__divmod__": lambda self, other: wnp.divmod(self, other),
        "__invert__": lambda self: wnp.invert(self),
    }
    for name, function in (_OPERATORS | _COMPARISONS).items():
        for method, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            if not (reflected and name in _COMPARISONS):
                before = getattr(owner, method, _not_implemented)
                found[method] = _operator(getattr(wnp, function), before, reflected)
    return found


@functools.cache
def _attributes(owner: type) -> dict[str, Any]:
    """The methods and properties of NumPy's arrays, for Tensor or Variable."""
    import whygrad.numpy as wnp

    found: dict[str, Any] = {}
    for name in _METHODS:
        found[name] = _method(getattr(wnp, name))
    for name in _REFUSED:
        found[name] = _refusal(name)
    for name in ("real", "imag"):
        found[name] = property(getattr(wnp, name))
    found |= {
        "__array_namespace__": _array_namespace,
        "__getitem__": lambda self, key: wnp.indexing.advanced(self, key),
        "T": property(wnp.transpose),
        "mT": property(wnp.matrix_transpose),
        "size": property(wnp.size),
        "flat": property(lambda self: iter(wnp.ravel(self))),
        "flatten": _method(wnp.ravel),
        "item": lambda self, *index: self.numpy().item(*index),
        "reshape": _reshaped,
        "to_device": _to_device,
        "transpose": _transposed,
    }
    return found


def _array_namespace(self: Any, *, api_version: str | None = None) -> Any:
    """`whygrad.numpy`, if it implements this version of the array API standard."""
    import whygrad.numpy as wnp

    if api_version is not None and api_version not in API_VERSIONS:
        raise OpValueError(f"api_version must be one of {', '.join(API_VERSIONS)}, not {api_version!r}")
    return wnp


def _to_device(self: Any, device: str, /, *, stream: Any = None) -> Any:
    """The tensor itself, on the device where it is."""
    if device not in ("cpu", self.device):
        raise OpValueError(f"to_device takes 'cpu' or the tensor's own device, not {device!r}")
    return self


def _operator(function: Any, before: Any, reflected: bool = False) -> Any:
    """NumPy's operator; operands that NumPy cannot handle (strings, other objects) go to the operator from `before`."""

    def operator(self: Any, other: Any) -> Any:
        if not isinstance(other, _OPERANDS) or self.dtype.numpy_dtype.kind == "O":
            return before(self, other)
        return function(other, self) if reflected else function(self, other)

    return operator


def _not_implemented(self: Any, other: Any) -> Any:
    return NotImplemented


def _method(function: Any) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


def _refusal(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise OpTypeError(f"ndarray.{name} writes into the array, and Tensors are never written to")

    return method


def _reshaped(self: Any, *shape: Any, order: str = "C", copy: bool | None = None) -> Tensor:
    """The elements in a new shape."""
    import whygrad.numpy as wnp

    return wnp.reshape(self, shape[0] if len(shape) == 1 else shape, order)


def _transposed(self: Any, *axes: Any) -> Tensor:
    """The axes in another order."""
    import whygrad.numpy as wnp

    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        return wnp.transpose(self, axes[0])
    return wnp.transpose(self, axes or None)


@export("numpy.experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: str = "legacy") -> None:
    """Give Tensors NumPy's methods (`.T`, `.astype`, `.sum()`, ...), promotion in operators and advanced indexing.

    Unlike with `enable_dispatch`, NumPy's own functions still return arrays. Operators promote dtypes as NumPy does ("legacy"), or not at
    all ("off"). In the modes "all" and "safe" the ops of TensorFlow promote dtypes, too, and Python's numbers and constants made of them
    have weak dtypes, which yield to those of tensors; "safe" refuses promotions that widen a dtype or may lose digits. With
    `prefer_float32`, Python's floats count as float32 and not as float64 in NumPy's promotion.
    """
    mode = dtype_conversion_mode
    if mode not in ("legacy", "off", *_WEAK_MODES, None):
        raise OpValueError(
            f"The provided promotion mode {mode} does not exist. Make sure the provided dtype conversion mode is "
            f"one of the followings: 'off', 'legacy', 'safe' or 'all'."
        )
    disable_numpy_behavior()  # in the mode that was set before
    if mode in _WEAK_MODES:
        from whygrad.numpy import weak_promotion

        weak_promotion.set_mode(mode)
    elif prefer_float32:
        from whygrad.numpy import narrow_floats

        narrow_floats.set_preferred(True)
    enable("numpy behavior", mode or "legacy")


def disable_numpy_behavior() -> None:
    """Undo `experimental_enable_numpy_behavior`."""
    disable("numpy behavior")
    for module, function, default in (("weak_promotion", "set_mode", None), ("narrow_floats", "set_preferred", False)):
        loaded = sys.modules.get(f"whygrad.numpy.{module}")
        if loaded is not None:
            getattr(loaded, function)(default)


def _promoting_operators(owner: type) -> dict[str, Any]:
    """The operators of the modes "safe" and "all", for Tensor or Variable."""
    from whygrad.numpy import weak_promotion

    return weak_promotion.operators(owner)
