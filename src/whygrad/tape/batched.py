"""Arrays with a batch axis that rules do not see: many cotangents pulled back by one run of a rule.

A rule is array code over `xp`. Given a `Batched` cotangent and the namespace `batched`, the same rule works on all
cotangents at once: shapes, axes and indices mean what they mean for one. What cannot be done so raises `NotBatched`, and
the sweep runs that rule once for each cotangent instead; a `Batched` is never taken for an array.

The namespace has NumPy's functions (`_NumPyFunctions`) and the kernels of primitives, whose trait `batching` says how.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.primitive import Primitive, registered
from whygrad.ops.traits import Batching

Array = Any


class NotBatched(Exception):
    """A rule does something with a cotangent that is not known to work on many at once."""


class Batched:
    """An array `data` whose first axis counts cotangents; `shape` is that of one of them."""

    __slots__ = ("data",)

    def __init__(self, data: Array) -> None:
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one."""
        return self.data.shape[1:]  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """The number of axes of one."""
        return self.data.ndim - 1  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """The number of elements of one."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise NotBatched("len of scalars")
        return self.shape[0]

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Batched:
        items = index if type(index) is tuple else (index,)
        arrays = [isinstance(item, np.ndarray) for item in items]
        # Arrays that stand apart would move their axes to the front, before the batch. All arrays, or one: in place.
        basic = [item is None or item is Ellipsis or isinstance(item, int | np.integer | slice) for item in items]
        lone = sum(arrays) == 1 and all(isinstance(item, slice) or array for item, array in zip(items, arrays))
        if not (all(basic) or all(arrays) or lone):
            raise NotBatched(f"index {index!r}")
        return Batched(self.data[(slice(None), *items)])

    def __bool__(self) -> bool:
        raise NotBatched("a branch on a value")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise NotBatched("taken for an array")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = (), **options: Any) -> Any:
        # `slope *= g` says `out=(slope,)`: the name `slope` stands for the result from then on, which is all that a rule sees.
        if method != "__call__" or options or (out and out[0] is not inputs[0]):
            raise NotBatched(f"{ufunc.__name__}.{method}")
        return elementwise(ufunc, *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise NotBatched(function.__name__)

    def __add__(self, other: Any) -> Batched:
        return elementwise(np.add, self, other)

    def __radd__(self, other: Any) -> Batched:
        return elementwise(np.add, other, self)

    def __sub__(self, other: Any) -> Batched:
        return elementwise(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Batched:
        return elementwise(np.subtract, other, self)

    def __mul__(self, other: Any) -> Batched:
        return elementwise(np.multiply, self, other)

    def __rmul__(self, other: Any) -> Batched:
        return elementwise(np.multiply, other, self)

    def __truediv__(self, other: Any) -> Batched:
        return elementwise(np.divide, self, other)

    def __rtruediv__(self, other: Any) -> Batched:
        return elementwise(np.divide, other, self)

    def __pow__(self, other: Any) -> Batched:
        return elementwise(np.power, self, other)

    def __neg__(self) -> Batched:
        return Batched(-self.data)

    def __matmul__(self, other: Any) -> Batched:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Batched:
        return _matmul(other, self)

    def __lt__(self, other: Any) -> Batched:
        return elementwise(np.less, self, other)

    def __gt__(self, other: Any) -> Batched:
        return elementwise(np.greater, self, other)

    def __eq__(self, other: Any) -> Batched:  # type: ignore[override]
        return elementwise(np.equal, self, other)

    def __ne__(self, other: Any) -> Batched:  # type: ignore[override]
        return elementwise(np.not_equal, self, other)

    __hash__ = None  # type: ignore[assignment]


# -- how functions are carried over --


def _rank(value: Any) -> int:
    return getattr(value, "ndim", 0)


def _aligned(values: Sequence[Any], rank: int) -> list[Any]:
    """The arrays of `values`, the batch axis before as many axes as `rank`, so that the others broadcast as they should."""
    found = []
    for value in values:
        if type(value) is Batched:
            data = value.data
            missing = rank - (data.ndim - 1)
            found.append(data.reshape(data.shape[:1] + (1,) * missing + data.shape[1:]) if missing else data)
        else:
            found.append(value)
    return found


def _count(values: Sequence[Any]) -> int:
    """How many cotangents there are."""
    return next(value.data.shape[0] for value in values if type(value) is Batched)  # type: ignore[no-any-return]


def lifted(value: Any, count: int) -> Array:
    """The array of a `Batched`; a value that is the same for all cotangents is repeated, as a view."""
    if type(value) is Batched:
        return value.data
    array = np.asarray(value)
    return np.broadcast_to(array, (count, *array.shape))


def elementwise(function: Callable[..., Any], *operands: Any, **attributes: Any) -> Batched:
    """A function that works element by element and broadcasts."""
    return Batched(function(*_aligned(operands, max([_rank(each) for each in operands])), **attributes))


def _on_elements(function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    return lambda *operands, **attributes: elementwise(function, *operands, **attributes)


def _on_last_axes(axes: int, function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    """A function of the last axes that repeats over those before."""

    def on_last_axes(*operands: Any, **attributes: Any) -> Any:
        ranks = [_rank(each) for each in operands]
        if min(ranks) < axes:
            raise NotBatched("an operand with fewer axes than the kernel works on")
        count = _count(operands)
        return Batched(function(*[lifted(each, count) for each in _same_rank(operands, max(ranks))], **attributes))

    return on_last_axes


def _same_rank(operands: Sequence[Any], rank: int) -> list[Any]:
    aligned = _aligned(operands, rank)
    return [
        Batched(array) if type(each) is Batched else np.reshape(each, (1,) * (rank - _rank(each)) + np.shape(each))
        for each, array in zip(operands, aligned)
    ]


def _matmul(a: Any, b: Any) -> Batched:
    if min(_rank(a), _rank(b)) < 2:
        raise NotBatched("a product with a vector")
    a, b = _aligned((a, b), max(_rank(a), _rank(b)))
    return Batched(engine.matmul(a, b))


def _with_leading_batch(function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    """A function for which the batch is one more axis in front, if attributes that count axes take it into account."""

    def on_leading(*operands: Any, **attributes: Any) -> Any:
        count = _count(operands)
        if "axis" in attributes:
            attributes["axis"] = _axes(attributes["axis"], 0)
        if "shape" in attributes:
            attributes["shape"] = (count, *attributes["shape"])
        if "paddings" in attributes:
            attributes["paddings"] = ((0, 0), *attributes["paddings"])
        return Batched(function(*[lifted(each, count) for each in operands], **attributes))

    return on_leading


def _with_labelled_batch(function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    """A function whose attributes label the axes of each operand, `a_labels`, and of the result: the batch gets a new label."""

    def on_labelled(*operands: Any, **attributes: Any) -> Any:
        names = [f"{name}_labels" for name in primitive.inputs]
        fresh = 1 + max([0, *attributes["labels"], *[label for name in names for label in attributes[name]]])
        arrays = []
        for name, each in zip(names, operands):
            if type(each) is Batched:
                attributes[name] = (fresh, *attributes[name])
            arrays.append(each.data if type(each) is Batched else each)
        attributes["labels"] = (fresh, *attributes["labels"])
        if "shape" in attributes:
            attributes["shape"] = (_count(operands), *attributes["shape"])
        return Batched(function(*arrays, **attributes))

    return on_labelled


def _with_trailing_batch(function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    """A function of rows, whatever their shape: the batch goes last, out of the way; `shape` is the result's."""

    def on_rows(*operands: Any, **attributes: Any) -> Any:
        count = _count(operands)
        if "axis" in attributes and attributes["axis"] < 0:
            attributes["axis"] += len(attributes["shape"]) if "shape" in attributes else _rank(operands[0])
        if "shape" in attributes:
            attributes["shape"] = (*attributes["shape"], count)
        arrays = [np.moveaxis(each.data, 0, -1) if type(each) is Batched else each for each in operands]
        return Batched(np.moveaxis(function(*arrays, **attributes), -1, 0))

    return on_rows


def _axes(axis: Any, rank: int) -> Any:
    """Axes of one as axes of the batch."""
    if axis is None:
        return tuple(range(1, rank + 1))
    if isinstance(axis, tuple | list):
        return tuple([each + 1 if each >= 0 else each for each in axis])
    return axis + 1 if axis >= 0 else axis


def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction, or the like, of one array along `axis` (all axes, if it is None)."""

    def along(x: Batched, axis: Any = None, **options: Any) -> Batched:
        return Batched(function(x.data, axis=_axes(axis, x.ndim), **options))

    return along


class _Ufunc:
    """A ufunc that takes Batched as well, with its `reduce`."""

    def __init__(self, ufunc: Any) -> None:
        self._ufunc = ufunc

    def __call__(self, *operands: Any) -> Any:
        return elementwise(self._ufunc, *operands) if _any_batched(operands) else self._ufunc(*operands)

    def reduce(self, x: Any, axis: Any = 0, **options: Any) -> Any:
        """The reduction along `axis`."""
        if type(x) is not Batched:
            return self._ufunc.reduce(x, axis=axis, **options)
        return Batched(self._ufunc.reduce(x.data, axis=_axes(axis, x.ndim), **options))


def _any_batched(values: Any) -> bool:
    return any(type(value) is Batched or (type(value) in (tuple, list) and _any_batched(value)) for value in values)


def _of_terms(function: Callable[..., Any], primitive: Primitive) -> Callable[..., Any]:
    return lambda *terms: sum(terms[1:], terms[0])


_KERNELS: dict[Batching, Callable[[Callable[..., Any], Primitive], Callable[..., Any]]] = {
    Batching.ELEMENTWISE: _on_elements,
    Batching.LEADING: _with_leading_batch,
    Batching.VECTORS: functools.partial(_on_last_axes, 1),
    Batching.MATRICES: functools.partial(_on_last_axes, 2),
    Batching.ROWS: _with_trailing_batch,
    Batching.LABELLED: _with_labelled_batch,
    Batching.TERMS: _of_terms,
}


def _kernel(name: str, plain: Callable[..., Any]) -> Callable[..., Any] | None:
    """The kernel of a primitive, by the engine's name for it, on Batched operands; None if no primitive says how."""
    for primitive in registered().values():
        batching = primitive.traits.batching
        if batching is not None and name in (primitive.name, primitive.forward):
            return _KERNELS[batching](plain, primitive)
    return None


# -- NumPy's functions --


def _shape_of(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, tuple | list) else (shape,)


class _NumPyFunctions:
    """NumPy's functions of Batched arrays, by NumPy's names."""

    @staticmethod
    def reshape(x: Batched, shape: Any) -> Batched:
        return Batched(x.data.reshape(x.data.shape[:1] + _shape_of(shape)))

    @staticmethod
    def transpose(x: Batched, axes: Any = None) -> Batched:
        order = tuple(range(x.ndim))[::-1] if axes is None else [axis % x.ndim for axis in axes]
        return Batched(x.data.transpose((0, *[axis + 1 for axis in order])))

    permute_dims = transpose

    @staticmethod
    def swapaxes(x: Batched, a: int, b: int) -> Batched:
        return Batched(x.data.swapaxes(_axes(a, 0), _axes(b, 0)))

    @staticmethod
    def moveaxis(x: Batched, source: Any, destination: Any) -> Batched:
        return Batched(np.moveaxis(x.data, _axes(source, 0), _axes(destination, 0)))

    @staticmethod
    def expand_dims(x: Batched, axis: Any) -> Batched:
        return Batched(np.expand_dims(x.data, _axes(axis, 0)))

    @staticmethod
    def squeeze(x: Batched, axis: Any = None) -> Batched:
        if axis is None:
            return Batched(x.data.reshape(x.data.shape[:1] + tuple([n for n in x.shape if n != 1])))
        return Batched(np.squeeze(x.data, _axes(axis, 0)))

    @staticmethod
    def broadcast_to(x: Batched, shape: Any) -> Batched:
        shape = _shape_of(shape)
        (data,) = _aligned((x,), len(shape))
        return Batched(np.broadcast_to(data, (data.shape[0], *shape)))

    @staticmethod
    def concatenate(arrays: Sequence[Any], axis: int = 0) -> Batched:
        count = _count(arrays)
        return Batched(np.concatenate([lifted(each, count) for each in arrays], axis=_axes(axis, 0)))

    concat = concatenate

    @staticmethod
    def stack(arrays: Sequence[Any], axis: int = 0) -> Batched:
        count = _count(arrays)
        return Batched(np.stack([lifted(each, count) for each in arrays], axis=_axes(axis, 0)))

    @staticmethod
    def flip(x: Batched, axis: Any = None) -> Batched:
        return Batched(np.flip(x.data, _axes(axis, x.ndim)))

    @staticmethod
    def roll(x: Batched, shift: Any, axis: Any) -> Batched:
        return Batched(np.roll(x.data, shift, _axes(axis, 0)))

    @staticmethod
    def tile(x: Batched, multiples: Any) -> Batched:
        multiples = _shape_of(multiples)
        (data,) = _aligned((x,), max(x.ndim, len(multiples)))
        return Batched(np.tile(data, (1,) * (data.ndim - len(multiples)) + multiples))

    @staticmethod
    def take(x: Batched, indices: Any, axis: Any = None) -> Batched:
        data = x.data.reshape(x.data.shape[0], x.size) if axis is None else x.data
        return Batched(np.take(data, indices, axis=_axes(0 if axis is None else axis, 0)))

    @staticmethod
    def take_along_axis(x: Any, indices: Any, axis: int) -> Batched:
        count = _count((x, indices))
        return Batched(np.take_along_axis(lifted(x, count), lifted(indices, count), axis=_axes(axis, 0)))

    @staticmethod
    def astype(x: Batched, dtype: Any, **options: Any) -> Batched:
        return Batched(x.data.astype(dtype, **options))

    @staticmethod
    def asarray(x: Batched) -> Batched:
        return x

    # The same for all cotangents, and so without a batch axis:

    @staticmethod
    def zeros_like(x: Batched) -> Any:
        return np.zeros(x.shape, x.dtype)

    @staticmethod
    def ones_like(x: Batched) -> Any:
        return np.ones(x.shape, x.dtype)

    @staticmethod
    def full_like(x: Batched, value: Any) -> Any:
        return np.full(x.shape, value, x.dtype)

    matmul = staticmethod(_matmul)
    sum, mean, prod, max, min, any, all = [
        staticmethod(_along(each)) for each in (np.sum, np.mean, np.prod, np.max, np.min, np.any, np.all)
    ]


class BatchedNamespace:
    """`xp` for rules that are given Batched cotangents."""

    def __getattr__(self, name: str) -> Any:
        plain = getattr(engine, name)
        found: Any = plain
        if callable(plain) and not isinstance(plain, type):
            many = getattr(_NumPyFunctions, name, None)
            if many is None and isinstance(plain, np.ufunc):
                found = _Ufunc(plain)
            else:
                many = many or _kernel(name, plain)
                found = _dispatched(name, plain, many)
                if many is None and not hasattr(np, name):
                    return found  # not remembered: the family of ops whose kernel this is may yet be loaded
        setattr(self, name, found)
        return found


def _dispatched(name: str, plain: Callable[..., Any], many: Callable[..., Any] | None) -> Callable[..., Any]:
    """A function of the engine that takes Batched arrays too, if it is known how."""

    def function(*args: Any, **kwargs: Any) -> Any:
        if not (_any_batched(args) or _any_batched(kwargs.values())):
            return plain(*args, **kwargs)
        if many is None:
            raise NotBatched(name)
        return many(*args, **kwargs)

    return function


batched = BatchedNamespace()
