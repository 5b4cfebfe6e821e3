"""The promotion modes "safe" and "all" of TensorFlow: dtypes are promoted by a lattice in which those of Python numbers are weak.

A weak dtype yields to the dtype of the other operand. Mode "safe" refuses promotions that widen a dtype or may lose digits. What takes
part is what takes part in TensorFlow: the functions listed here, the operators of tensors and variables, and assignments to variables.
They get a second implementation (`whygrad.runtime.overloads`) when one of these modes is switched on for the first time: programs that use
none pay nothing.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import place_of
from whygrad.numpy import promotion
from whygrad.numpy.elementwise import around
from whygrad.numpy.ufunc import Ufunc
from whygrad.ops import elementwise
from whygrad.runtime.overloads import Installation, overload
from whygrad.values import dtypes, nest
from whygrad.values.composite import CompositeTensor
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.values.weak_tensor import WeakTensor


class _Mode:
    """The mode that is on: "safe", "all" or None."""

    current: str | None = None


def set_mode(name: str | None) -> None:
    """Switch to "safe", "all" or, with None, to neither."""
    _Mode.current = name
    if name is not None:
        _functions.ensure()


# -- the lattice --


class Kind(NamedTuple):
    """A dtype, and whether it is weak."""

    dtype: DType
    weak: bool

    def __str__(self) -> str:
        return f"({self.dtype}, weak={self.weak})"


_WEAK_ORDER = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.complex128)
_NARROW_FLOATS = (dtypes.bfloat16, dtypes.float16)
# How many binary digits of an integer each dtype keeps.
_DIGITS = {
    dtypes.bfloat16: 8, dtypes.float16: 11, dtypes.float32: 24, dtypes.complex64: 24, dtypes.float64: 53, dtypes.complex128: 53,
}  # fmt: skip
_OF_PYTHON = {
    bool: Kind(dtypes.bool_, False), int: Kind(dtypes.int32, True), float: Kind(dtypes.float32, True),
    complex: Kind(dtypes.complex128, True), str: Kind(dtypes.string, False), bytes: Kind(dtypes.string, False),
}  # fmt: skip


class Unsupported(Exception):
    """Raised for operands that take no part in promotion: the op treats them as in the other modes."""


@functools.cache
def join(a: Kind, b: Kind) -> tuple[Kind, bool]:
    """What two kinds are promoted to, and whether mode "safe" allows it."""
    if a == b:
        return a, True
    if dtypes.string in (a.dtype, b.dtype):
        raise Unsupported
    if dtypes.bool_ in (a.dtype, b.dtype):
        return (b if a.dtype is dtypes.bool_ else a), True
    if a.weak and b.weak:
        return max(a, b, key=lambda kind: _WEAK_ORDER.index(kind.dtype)), True
    if a.weak or b.weak:
        return _strong_with_weak(*((b, a.dtype) if a.weak else (a, b.dtype)))
    dtype, is_safe = _of_strong(*sorted((a.dtype, b.dtype), key=_rank))
    # No integer holds both an uint64 and a negative number: the float64 of such a pair is weak.
    return Kind(dtype, dtype.is_floating and a.dtype.is_integer and b.dtype.is_integer), is_safe


def _rank(dtype: DType) -> int:
    return 0 if dtype.is_integer else 1 if dtype.is_floating else 2


def _strong_with_weak(strong: Kind, weak: DType) -> tuple[Kind, bool]:
    dtype = strong.dtype
    if weak.is_integer or dtype.is_complex or (dtype.is_floating and weak.is_floating):
        return strong, True
    if dtype.is_floating:  # with a weak complex number
        return Kind(dtypes.complex128 if dtype is dtypes.float64 else dtypes.complex64, False), dtype is dtypes.float64
    wide = dtypes.float64 if weak.is_floating else weak
    return Kind(wide, True), weak is not dtypes.float32 and dtype.size * 8 <= _DIGITS[wide]


def _of_strong(a: DType, b: DType) -> tuple[DType, bool]:
    """Two dtypes of which the first has the lower rank."""
    if _rank(a) == _rank(b) == 0:
        return _of_integers(a, b)
    if a.is_integer:
        return b, a.size * 8 <= _DIGITS[b]
    if {a, b} == set(_NARROW_FLOATS):
        return dtypes.float32, False
    if a is dtypes.float64 and b is dtypes.complex64:
        return dtypes.complex128, False
    return (b if _rank(a) < _rank(b) else max(a, b, key=lambda dtype: dtype.size)), True


def _of_integers(a: DType, b: DType) -> tuple[DType, bool]:
    if a.is_unsigned == b.is_unsigned:
        return max(a, b, key=lambda dtype: dtype.size), True
    unsigned, signed = (a, b) if a.is_unsigned else (b, a)
    if signed.size > unsigned.size:
        return signed, True
    if unsigned is dtypes.uint64:
        return dtypes.float64, False
    return dtypes.as_dtype(f"int{unsigned.size * 16}"), False


def kind_of(x: Any) -> Kind:
    """The kind of one operand: a tensor, an array, a number or a dtype."""
    if isinstance(x, WeakTensor):
        return Kind(x.dtype, True)
    if isinstance(x, DType):
        return Kind(x, False)
    if isinstance(x, CompositeTensor) and not isinstance(x, IndexedSlices):
        raise Unsupported
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, DType):
        return Kind(dtype, False)
    if isinstance(dtype, np.dtype):
        return Kind(dtypes.string if dtype.kind in "SUO" else dtypes.as_dtype(dtype), False)
    if isinstance(x, type):
        return _of_class(x)
    for kind, found in _OF_PYTHON.items():
        if isinstance(x, kind):
            if isinstance(x, int) and not -(2**31) <= x < 2**31:
                raise OverflowError(f"Python int {x} too large to convert to np.int32")
            return found
    if isinstance(x, TensorShape):
        return Kind(dtypes.int32, False)
    raise Unsupported


def _of_class(x: type) -> Kind:
    if x in _OF_PYTHON:
        return _OF_PYTHON[x]
    try:
        return Kind(dtypes.as_dtype(x), False)
    except TypeError:
        raise Unsupported from None


def result_kind(*operands: Any) -> Kind:
    """What the operands are promoted to: tensors, numbers, nested lists of those, and dtypes; None counts for nothing."""
    kinds = [kind_of(x) for x in nest.flatten([each for each in operands if each is not None])]
    result = kinds[0] if kinds else Kind(dtypes.float32, True)
    for kind in kinds[1:]:
        joined, is_safe = join(result, kind)
        if not is_safe and _Mode.current == "safe":
            raise OpTypeError(
                f"In promotion mode PromoMode.SAFE, implicit dtype promotion between {result} and {kind} is disallowed. You need to "
                "explicitly specify the dtype in your op, or relax your dtype promotion rules (such as from SAFE mode to ALL mode)."
            )
        result = joined
    return result


def _as(x: Any, dtype: DType) -> Tensor:
    """An operand as a tensor of the dtype that it is promoted to."""
    if isinstance(x, WeakTensor | Tensor | Variable | IndexedSlices):
        given = convert(x, None)
        return given if given.dtype is dtype else elementwise.cast(given, dtype)
    return convert(x, dtype)


def _weak_if(result: Any, weak: bool) -> Any:
    return WeakTensor(result) if weak and isinstance(result, Tensor) else result


# -- functions --

_ONE_TENSOR = """
    abs acos acosh asin asinh atan atanh clip_by_value cos cosh debugging.check_numerics exp expand_dims floor identity
    image.extract_patches linalg.diag linalg.diag_part linalg.matrix_transpose linalg.tensor_diag_part linalg.trace math.angle
    math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.ceil math.conj math.digamma math.erf math.erfc math.erfcinv
    math.erfinv math.expm1 math.imag math.lgamma math.log math.log1p math.log_sigmoid math.log_softmax math.ndtri math.real
    math.reciprocal math.reciprocal_no_nan math.reduce_euclidean_norm math.reduce_std math.reduce_variance math.rint math.rsqrt
    math.softplus math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_k0 math.special.bessel_k0e
    math.special.bessel_k1 math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1 math.special.dawsn
    math.special.expint math.special.fresnel_cos math.special.fresnel_sin math.special.spence negative nn.depth_to_space nn.gelu
    nn.leaky_relu nn.relu6 nn.silu nn.space_to_depth ones_like reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod
    reduce_sum reshape round sigmoid sign sin sinh sqrt square squeeze stop_gradient tan tanh transpose zeros_like

    numpy.amax numpy.amin numpy.angle numpy.around numpy.array numpy.asarray numpy.atleast_1d numpy.average
    numpy.copy numpy.cumprod numpy.cumsum numpy.diag numpy.diagflat numpy.diagonal numpy.diff numpy.empty_like numpy.expand_dims
    numpy.fix numpy.flip numpy.fliplr numpy.flipud numpy.full_like numpy.imag numpy.max numpy.mean numpy.min numpy.moveaxis
    numpy.nanmean numpy.ones_like numpy.prod numpy.ravel numpy.real numpy.repeat numpy.reshape numpy.rot90 numpy.round numpy.sinc
    numpy.sort numpy.squeeze numpy.std numpy.sum numpy.swapaxes numpy.trace numpy.transpose numpy.triu numpy.vander numpy.var
    numpy.zeros_like
"""
_TWO_TENSORS = """
    add subtract multiply divide truediv realdiv truncatediv truncatemod pow matmul math.floordiv math.floormod
    math.multiply_no_nan math.divide_no_nan numpy.matmul
"""
_COMPARISONS = "maximum minimum equal"  # what they give is not weak


def _public(names: str) -> list[Any]:
    """The functions of these names, each once: some have several names."""
    places = map(place_of, names.split())
    found = [getattr(importlib.import_module(module), name) for module, name in places]
    return [each for each in dict.fromkeys(found) if not isinstance(each, Ufunc)]


def _of_one_tensor(function: Any, argument: str | None = None) -> None:
    """Let a function of one tensor give a weak tensor for a weak one, a Python number or a list of those."""
    signature = inspect.signature(function)
    name = argument or next(iter(signature.parameters))

    def is_weak(*args: Any, **kwargs: Any) -> bool:
        if _Mode.current is None or (args and argument is None and isinstance(args[0], Tensor)):
            return False
        try:
            given = signature.bind(*args, **kwargs).arguments
            return given.get("dtype") is None and name in given and result_kind(given[name]).weak
        except (TypeError, Unsupported):  # the function itself says what is wrong with its arguments
            return False

    def promoted(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.arguments[name] = _as(bound.arguments[name], result_kind(bound.arguments[name]).dtype)
        return _weak_if(function(*bound.args, **bound.kwargs), True)

    overload(function, promoted, Unsupported, is_weak)


def _of_two_tensors(function: Any, keeps_weakness: bool = True) -> None:
    """Let a function of two tensors promote them."""
    signature = inspect.signature(function)
    first, second = list(signature.parameters)[:2]

    def differ(*args: Any, **kwargs: Any) -> bool:
        if _Mode.current is None:
            return False
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return False
        return first in given and second in given and _need_promotion(given[first], given[second])

    def promoted(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        dtype, weak = result_kind(bound.arguments[first], bound.arguments[second])
        for name in (first, second):
            bound.arguments[name] = _as(bound.arguments[name], dtype)
        return _weak_if(function(*bound.args, **bound.kwargs), weak and keeps_weakness)

    overload(function, promoted, Unsupported, differ)


def _need_promotion(x: Any, y: Any) -> bool:
    """Whether two operands are anything but tensors of one dtype, and take part in promotion."""
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype:
        return False
    try:
        result_kind(x, y)
    except Unsupported:
        return False
    return True


def _constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """`tf.constant`: weak for Python's numbers without a dtype; with one, a tensor is converted where promotion leads to it."""
    from whygrad.ops.creation import constant

    given = value.tensor if isinstance(value, WeakTensor) else value
    try:
        kind = result_kind(value, dtype)
    except Unsupported:
        return _plainly(constant, given, dtype, shape)
    if dtype is None:
        return _weak_if(_plainly(constant, given, kind.dtype, shape), kind.weak)
    if isinstance(given, Tensor) and kind.dtype is dtypes.as_dtype(dtype):
        given = _as(given, kind.dtype)
    return _plainly(constant, given, dtype, shape)


class _Plain:
    """Whether `tf.constant` is called for what it does in the other modes."""

    calls = 0


def _plainly(function: Any, *args: Any) -> Any:
    _Plain.calls += 1
    try:
        return function(*args)
    finally:
        _Plain.calls -= 1


def _of_variable(method: Any) -> None:
    """Let a method that assigns convert what is assigned, if promotion leads to the variable's dtype."""
    named = list(inspect.signature(method).parameters)[1]

    def differs(self: Variable, *args: Any, **kwargs: Any) -> bool:
        if _Mode.current is None or not (args or named in kwargs):
            return False
        return _need_promotion(self.dtype, args[0] if args else kwargs[named]) and not (
            args and isinstance(args[0], Tensor) and args[0].dtype is self.dtype
        )

    def converted(self: Variable, *args: Any, **kwargs: Any) -> Any:
        value = args[0] if args else kwargs.pop(named)
        if result_kind(self, value).dtype is not self.dtype:
            shown = value.numpy() if isinstance(value, Tensor | WeakTensor) else value
            raise OpTypeError(
                f"Variable dtype is immutable. Calling {method.__name__} of Variable (with dtype {self.dtype}) on {shown} requires "
                f"converting {shown} to {self.dtype}. This is disabled in the current promotion semantics. Please convert {shown} "
                f"manually before calling {method.__name__}."
            )
        return method(self, _as(value, self.dtype), *args[1:], **kwargs)

    overload(method, converted, Unsupported, differs)


def _call_on_weak(self: Ufunc, *operands: Any, **arguments: Any) -> Any:
    """A ufunc of one operand, on a weak one."""
    result = self(_as(operands[0], result_kind(operands[0]).dtype), *operands[1:], **arguments)
    return _weak_if(result, result.dtype is not dtypes.bool_)


def _is_of_weak(self: Ufunc, *operands: Any, **arguments: Any) -> bool:
    if _Mode.current is None or self.nin != 1 or not operands or isinstance(operands[0], Tensor):
        return False
    try:
        return arguments.get("dtype") is None and result_kind(operands[0]).weak
    except Unsupported:
        return False


def _python_dtype(dtype: Any, default: Any = None) -> Any:
    """A dtype argument that is `int` or `float`: of 32 bits in these modes."""
    return _OF_PYTHON[default if dtype is None else dtype].dtype.numpy_dtype


def _with_dtype(function: Any, operands: tuple[str, ...], *others: Any) -> None:
    """Let a function that makes numbers between its operands make them of the dtype that these, with `others`, are promoted to."""
    signature = inspect.signature(function)

    def is_open(*args: Any, **kwargs: Any) -> bool:
        return _Mode.current is not None and signature.bind(*args, **kwargs).arguments.get("dtype") is None

    def typed(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        kind = result_kind(*[bound.arguments.get(name) for name in operands], *others)
        bound.arguments["dtype"] = kind.dtype.numpy_dtype
        return _weak_if(function(*bound.args, **bound.kwargs), kind.weak and not others)

    overload(function, typed, Unsupported, is_open)


def _is_python_dtype(dtype: Any, default: Any = None) -> bool:
    return _Mode.current is not None and any((default if dtype is None else dtype) is each for each in (int, float))


def _install() -> None:
    from whygrad.ops.creation import constant

    for function in _public(_ONE_TENSOR):
        _of_one_tensor(function)
    for function in _public(_TWO_TENSORS):
        _of_two_tensors(function)
    for function in _public(_COMPARISONS):
        _of_two_tensors(function, keeps_weakness=False)
    _of_one_tensor(_public("math.scalar_mul")[0], argument="x")
    for method in (Variable.assign, Variable.assign_add, Variable.assign_sub):
        _of_variable(method)
    _with_dtype(*_public("numpy.arange"), ("start", "stop", "step"))
    _with_dtype(*_public("numpy.linspace"), ("start", "stop"), float)
    overload(constant, _constant, Unsupported, lambda *_, **__: _Mode.current is not None and not _Plain.calls)
    overload(Ufunc.__call__, _call_on_weak, Unsupported, _is_of_weak)
    overload(promotion.numpy_dtype, _python_dtype, Unsupported, _is_python_dtype)


_functions = Installation(_install)


# -- operators --

_PROMOTING = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_PLAIN = ("and", "or", "xor", "lt", "le", "gt", "ge", "ne")
_WITHOUT_REFLECTED = ("lt", "le", "gt", "ge", "eq", "ne")


@functools.cache
def operators(owner: type) -> dict[str, Any]:
    """The operators that promote, for Tensor, Variable or WeakTensor. Called while Tensor's own are in force."""
    found: dict[str, Any] = {}
    for name in (*_PROMOTING, "eq"):
        for method, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            if not (reflected and name in _WITHOUT_REFLECTED):
                before = _of_tensor(method) if owner is WeakTensor else getattr(owner, method)
                found[method] = _operator(name, getattr(Tensor, f"__{name}__"), before, reflected)
    return found


def _operator(name: str, plain: Any, before: Any, reflected: bool) -> Callable[[Any, Any], Any]:
    """An operator that converts its operands to one dtype, then calls Tensor's own; `before` gets what takes no part in promotion."""

    def operator(self: Any, other: Any) -> Any:
        if type(self) is Tensor and type(other) is Tensor and self._array.dtype is other._array.dtype:
            return before(self, other)
        x, y = (other, self) if reflected else (self, other)
        if name == "mul" and (_is_of_bools(self, Tensor | Variable) or _is_of_bools(other, Tensor)):
            whole = [_as_int32(each) for each in (x, y)]
            return elementwise.cast(plain(*whole), dtypes.bool_)
        if other is None or not _need_promotion(x, y):
            return before(self, other)
        dtype, weak = result_kind(x, y)
        result = plain(_as(x, dtype), _as(y, dtype))
        return _weak_if(result, weak and name != "eq")

    return operator


def _is_of_bools(x: Any, kinds: Any) -> bool:
    return isinstance(x, kinds) and x.dtype is dtypes.bool_


def _as_int32(x: Any) -> Tensor:
    """A factor of a tensor of bools: in these modes, as with NumPy's methods in TensorFlow, their product is of bools."""
    whole: Tensor = elementwise.cast(convert(x, None), dtypes.int32)
    return whole


def _of_tensor(method: str) -> Callable[[WeakTensor, Any], Any]:
    """An operator of WeakTensor that is that of its tensor."""

    def operator(self: WeakTensor, other: Any) -> Any:
        return getattr(self.tensor, method)(other.tensor if isinstance(other, WeakTensor) else other)

    return operator


def _set_operators() -> None:
    methods = operators(WeakTensor)
    for name in _PLAIN:
        methods[f"__{name}__"] = _of_tensor(f"__{name}__")
        if name not in _WITHOUT_REFLECTED:
            methods[f"__r{name}__"] = _of_tensor(f"__r{name}__")
    for name in ("neg", "pos", "abs", "invert"):
        methods[f"__{name}__"] = _of_itself(f"__{name}__")
    methods["__round__"] = _rounded
    for name, method in methods.items():
        setattr(WeakTensor, name, method)


def _rounded(self: WeakTensor, digits: int | None = None) -> WeakTensor:
    return WeakTensor(around(self.tensor, digits or 0))


def _of_itself(name: str) -> Callable[[WeakTensor], WeakTensor]:
    """An operator of one operand."""

    def operator(self: WeakTensor) -> WeakTensor:
        return WeakTensor(getattr(self.tensor, name)())

    return operator


_set_operators()
