"""Vector spaces of values, and derivatives at a point: what autograd's `core` offers to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.autograd import differential_operators
from whygrad.autograd.boxes import space_makers, vspace
from whygrad.autograd.primitives import (
    JVPNode,
    SparseObject,
    VJPNode,
    def_linear,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    primitive,
    primitive_jvps,
    primitive_vjps,
)

__all__ = [
    "JVPNode", "SparseObject", "VJPNode", "VSpace", "def_linear", "defjvp", "defjvp_argnum", "defjvp_argnums", "defvjp", "defvjp_argnum",
    "defvjp_argnums", "make_jvp", "make_vjp", "primitive", "primitive_jvps", "primitive_vjps", "vspace",
]  # fmt: skip


class VSpace:
    """The space that a value and its derivatives are elements of. Programs write subclasses for types of their own.

    A subclass defines `zeros`, and where they differ from Python's operators, `_add` and the other methods that begin with `_`.
    """

    mappings: dict[type, Callable[[Any], Any]] = space_makers
    iscomplex = False

    def __init__(self, value: Any) -> None:
        pass

    def zeros(self) -> Any:
        """The element zero."""
        raise NotImplementedError(f"{type(self).__name__} must define zeros")

    def ones(self) -> Any:
        """The element whose coordinates are 1."""
        raise NotImplementedError(f"{type(self).__name__} must define ones")

    def standard_basis(self) -> Iterator[Any]:
        """Elements that span the space."""
        raise NotImplementedError(f"{type(self).__name__} must define standard_basis")

    def randn(self) -> Any:
        """A random element."""
        raise NotImplementedError(f"{type(self).__name__} must define randn")

    @primitive
    def add(self, x_prev: Any, x_new: Any) -> Any:
        """The sum of two elements."""
        return self._add(x_prev, x_new)

    @primitive
    def mut_add(self, x_prev: Any, x_new: Any) -> Any:
        """The sum of two elements, the first of which may be changed; None stands for zero."""
        return self._mut_add(self.zeros() if x_prev is None else x_prev, x_new)

    @primitive
    def scalar_mul(self, x: Any, a: Any) -> Any:
        """An element times a number."""
        return self._scalar_mul(x, a)

    @primitive
    def inner_prod(self, x: Any, y: Any) -> Any:
        """The inner product of two elements."""
        return self._inner_prod(x, y)

    @primitive
    def covector(self, x: Any) -> Any:
        """The element whose inner product with others is linear in them: the conjugate."""
        return self._covector(x)

    def _add(self, x: Any, y: Any) -> Any:
        return x + y

    def _mut_add(self, x: Any, y: Any) -> Any:
        x += y
        return x

    def _scalar_mul(self, x: Any, a: Any) -> Any:
        return x * a

    def _inner_prod(self, x: Any, y: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define _inner_prod")

    def _covector(self, x: Any) -> Any:
        return x

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}_{self.__dict__}"

    @classmethod
    def register(cls, value_type: type, vspace_maker: Callable[[Any], Any] | None = None) -> None:
        """Use this class, or what `vspace_maker` makes of a value, for the values of a type."""
        space_makers[value_type] = vspace_maker or cls


_passed: Callable[..., Any] = lambda ans, vs, *args: lambda g: g
for _sum in (VSpace.add, VSpace.mut_add):
    defvjp(_sum, None, _passed, _passed)
    defjvp(_sum, None, lambda g, *rest: g, lambda g, *rest: g)
defvjp(
    VSpace.scalar_mul,
    None,
    lambda ans, vs, x, a: lambda g: vs.covector(vs.scalar_mul(vs.covector(g), a)),
    lambda ans, vs, x, a: lambda g: vs.inner_prod(g, vs.covector(x)),
)
defvjp(
    VSpace.inner_prod,
    None,
    lambda ans, vs, x, y: lambda g: vs.covector(vs.scalar_mul(y, g)),
    lambda ans, vs, x, y: lambda g: vs.covector(vs.scalar_mul(x, g)),
)
defvjp(VSpace.covector, None, lambda ans, vs, x: lambda g: vs.covector(g))
defjvp(VSpace.scalar_mul, None, "same", "same")
defjvp(VSpace.inner_prod, None, "same", "same")
defjvp(VSpace.covector, None, "same")


class ArrayVSpace(VSpace):
    """The arrays of one shape and dtype."""

    def __init__(self, value: Any) -> None:
        value = np.asarray(value)
        self.shape = value.shape
        self.dtype = value.dtype

    @property
    def size(self) -> int:
        """The number of real coordinates."""
        return int(np.prod(self.shape)) * (2 if self.iscomplex else 1)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def zeros(self) -> Any:
        """The array of zeros."""
        return np.zeros(self.shape, self.dtype)

    def ones(self) -> Any:
        """The array of ones."""
        return np.ones(self.shape, self.dtype)

    def standard_basis(self) -> Iterator[Any]:
        """For each coordinate, the array in which it is 1 and all others are 0."""
        for index in np.ndindex(*self.shape):
            for unit in (1.0, 1.0j) if self.iscomplex else (1.0,):
                vector = self.zeros()
                vector[index] = unit
                yield vector

    def randn(self) -> Any:
        """Normal random numbers."""
        return np.asarray(np.random.randn(*self.shape)).astype(self.dtype)

    def _mut_add(self, x: Any, y: Any) -> Any:
        return np.add(x, y)

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return np.dot(np.ravel(x), np.ravel(y))


class ComplexArrayVSpace(ArrayVSpace):
    """The complex arrays of one shape and dtype, over the real numbers."""

    iscomplex = True

    def ones(self) -> Any:
        """The array of 1 + 1j."""
        return np.full(self.shape, 1.0 + 1.0j, self.dtype)

    def randn(self) -> Any:
        """Normal random numbers."""
        return np.asarray(np.random.randn(*self.shape) + 1.0j * np.random.randn(*self.shape)).astype(self.dtype)

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return np.real(np.dot(np.conj(np.ravel(x)), np.ravel(y)))

    def _covector(self, x: Any) -> Any:
        return np.conj(x)


VSpace.register(np.ndarray, lambda x: ComplexArrayVSpace(x) if np.iscomplexobj(x) else ArrayVSpace(x))
_REAL: tuple[type, ...] = (float, np.float64, np.float32, np.float16, np.longdouble)
_COMPLEX: tuple[type, ...] = (complex, np.complex128, np.complex64, np.clongdouble)
for _kind in _REAL:
    ArrayVSpace.register(_kind)
for _kind in _COMPLEX:
    ComplexArrayVSpace.register(_kind)
VSpace.register(SparseObject, lambda x: x.vs)


class ContainerVSpace(VSpace):
    """The lists, tuples or dicts of elements of other spaces."""

    def __init__(self, value: Any) -> None:
        self.seq_type = type(value)
        self.shape = {key: vspace(part) for key, part in self._items(value)}

    @staticmethod
    def _items(value: Any) -> Any:
        return value.items() if isinstance(value, dict) else enumerate(value)

    def _packed(self, parts: dict[Any, Any]) -> Any:
        if issubclass(self.seq_type, dict):
            return self.seq_type(parts)
        return self.seq_type(*parts.values()) if hasattr(self.seq_type, "_fields") else self.seq_type(parts.values())

    @property
    def size(self) -> int:
        """The number of real coordinates."""
        return sum(each.size for each in self.shape.values())

    def zeros(self) -> Any:
        """Zeros in this structure."""
        return self._packed({key: each.zeros() for key, each in self.shape.items()})

    def ones(self) -> Any:
        """Ones in this structure."""
        return self._packed({key: each.ones() for key, each in self.shape.items()})

    def randn(self) -> Any:
        """Normal random numbers in this structure."""
        return self._packed({key: each.randn() for key, each in self.shape.items()})

    def standard_basis(self) -> Iterator[Any]:
        """Zeros in this structure, with one part an element of its basis."""
        for key, space in self.shape.items():
            for vector in space.standard_basis():
                parts = {other: each.zeros() for other, each in self.shape.items()}
                yield self._packed({**parts, key: vector})

    def _each(self, method: str, *values: Any) -> dict[Any, Any]:
        return {key: getattr(each, method)(*[value[key] for value in values]) for key, each in self.shape.items()}

    def _add(self, x: Any, y: Any) -> Any:
        return self._packed(self._each("_add", x, y))

    def _mut_add(self, x: Any, y: Any) -> Any:
        return self._packed(self._each("_mut_add", x, y))

    def _scalar_mul(self, x: Any, a: Any) -> Any:
        return self._packed({key: each._scalar_mul(x[key], a) for key, each in self.shape.items()})

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return sum(self._each("_inner_prod", x, y).values())

    def _covector(self, x: Any) -> Any:
        return self._packed(self._each("_covector", x))


_CONTAINERS: tuple[type, ...] = (list, tuple, dict)
for _kind in _CONTAINERS:
    ContainerVSpace.register(_kind)


def make_vjp(fun: Callable[[Any], Any], x: Any) -> tuple[Callable[[Any], Any], Any]:
    """How cotangents of `fun(x)` are pulled back to `x`, and the value."""
    found: tuple[Callable[[Any], Any], Any] = differential_operators.make_vjp(fun)(x)
    return found


def make_jvp(fun: Callable[[Any], Any], x: Any) -> Callable[[Any], tuple[Any, Any]]:
    """A function of how `x` moves: the value of `fun(x)`, and how it moves."""
    found: Callable[[Any], tuple[Any, Any]] = differential_operators.make_jvp(fun)(x)
    return found
