"""NumPy's ufuncs on Tensors: NumPy chooses the dtypes, a recorded op computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.numpy.promotion import as_dtype, normal_axes, normal_axis, numpy_dtype, refuse, tensor
from whygrad.ops import shaping
from whygrad.values.errors import OpTypeError
from whygrad.values.tensor import Tensor

Compute = Callable[..., Tensor]
_WEAK = (int, float, complex)


class Ufunc:
    """One of NumPy's ufuncs.

    name        NumPy's name
    compute     the op, on Tensors of the dtypes in which NumPy computes
    for_bool    computes on bools instead, if the op does not accept them
    reduction   the name of the function for `reduce`, and `accumulation` of that for `accumulate`
    """

    def __init__(
        self,
        name: str,
        compute: Compute,
        *,
        for_bool: Compute | None = None,
        reduction: str | None = None,
        accumulation: str | None = None,
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = "whygrad.numpy"
        self.__doc__ = f"NumPy's `{name}`, element by element, on Tensors."
        self.ufunc: np.ufunc = getattr(np, name)
        self.nin: int = self.ufunc.nin
        self.compute = compute
        self.for_bool = for_bool
        self.reduction = reduction
        self.accumulation = accumulation
        self.loops: dict[Any, Any] = {}  # the dtypes to compute in, by the operands' dtypes
        self.own: set[Any] = set()  # the dtypes that need no conversion

    def __repr__(self) -> str:
        return f"<whygrad.numpy ufunc {self.__name__!r}>"

    def __call__(self, *operands: Any, out: Any = None, where: Any = True, dtype: Any = None, **layout: Any) -> Tensor:
        # Fast path if there is nothing to decide: rules run on this.
        if out is None and where is True and dtype is None and not layout:
            if self.nin == 1 == len(operands):
                x = operands[0]
                if type(x) is Tensor and x._array.dtype in self.own:
                    return self.compute(x)
            elif self.nin == 2 == len(operands):
                x, y = operands
                if type(x) is Tensor and type(y) is Tensor:
                    given = x._array.dtype
                    if given is y._array.dtype and given in self.own:
                        return self.compute(x, y)
        if len(operands) != self.nin:
            if len(operands) <= self.nin:
                raise OpTypeError(f"{self.__name__}() takes {self.nin} arguments, but {len(operands)} were given")
            out, operands = operands[self.nin :], operands[: self.nin]
        if out is not None or where is not True or layout:
            self._refuse(out, where, layout)
        if dtype is not None:
            wanted = (numpy_dtype(dtype),) * self.nin
            values = [tensor(x) for x in operands]
        else:
            values = [x if type(x) is Tensor or type(x) in _WEAK else tensor(x) for x in operands]
            given = tuple([x._array.dtype if isinstance(x, Tensor) else type(x) for x in values])
            wanted = self.loops.get(given) or self._loop(given)
        values = [
            x if isinstance(x, Tensor) and x._array.dtype is each else as_dtype(x, each)
            for x, each in zip(values, wanted)
        ]
        if self.for_bool is not None and wanted[0].kind == "b":
            return self.for_bool(*values)
        return self.compute(*values)

    def _refuse(self, out: Any, where: Any, layout: dict[str, Any]) -> None:
        given = None if out is None or (isinstance(out, tuple) and all(each is None for each in out)) else out
        refuse(self.__name__, out=given, where=None if where is True else where)
        for name in layout:
            if name not in ("casting", "order", "subok"):
                raise OpTypeError(f"{self.__name__}() has no argument {name}=")

    def _loop(self, given: tuple[Any, ...]) -> tuple[np.dtype[Any], ...]:
        """The dtypes in which NumPy computes on operands of these dtypes (Python number types are weak)."""
        asked: tuple[Any, ...] = given
        if all(isinstance(each, type) for each in given):  # not `in _WEAK`: NumPy's float64 == float
            asked = tuple([np.asarray(each()).dtype for each in given])
        narrow = next((each for each in given if not isinstance(each, type) and each.kind == "V"), None)
        if narrow is not None:  # ml_dtypes does not treat Python numbers as weak
            asked = tuple([narrow if each is int or each is float else each for each in given])
        try:
            resolved = self.ufunc.resolve_dtypes((*asked, *(None,) * self.ufunc.nout))[: self.nin]
        except TypeError:
            names = ", ".join(each.__name__ if isinstance(each, type) else each.name for each in given)
            raise OpTypeError(f"{self.__name__}() is not defined for operands of type {names}") from None
        self.loops[given] = resolved
        if all(each is given[0] for each in (*given, *resolved)) and (given[0].kind != "b" or self.for_bool is None):
            self.own.add(given[0])
        return resolved

    # -- the methods of NumPy's ufuncs --

    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = np._NoValue,
        where: Any = True,
    ) -> Tensor:
        """Reduce the elements along `axis`."""
        if self.reduction is None:
            raise self._without("reduce")
        refuse(f"{self.__name__}.reduce", out=out, where=None if where is True else where)
        x = tensor(array) if dtype is None else as_dtype(tensor(array), numpy_dtype(dtype))
        result = self._function(self.reduction)(x, axis=normal_axes(axis, x.ndim), keepdims=keepdims)
        return result if initial is np._NoValue or initial is None else self(result, initial)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Tensor:
        """Accumulate along `axis`, with all intermediate results."""
        if self.accumulation is None:
            raise self._without("accumulate")
        refuse(f"{self.__name__}.accumulate", out=out)
        x = tensor(array) if dtype is None else as_dtype(tensor(array), numpy_dtype(dtype))
        result: Tensor = self._function(self.accumulation)(x, axis=normal_axis(axis, x.ndim))
        return result

    @staticmethod
    def _function(name: str) -> Any:
        from whygrad.numpy import reductions

        return getattr(reductions, name)

    def outer(self, a: Any, b: Any, /, **arguments: Any) -> Any:
        """The function of each element of `a` with each element of `b`."""
        if self.nin != 2:
            raise self._without("outer")
        x, y = tensor(a), tensor(b)
        return self(shaping.reshape(x, (*x._array.shape, *(1,) * y.ndim)), y, **arguments)

    def at(self, a: Any, indices: Any, b: Any = None, /) -> None:
        """Raise: NumPy's method writes to its argument."""
        raise OpTypeError(
            f"{self.__name__}.at writes into its first argument, and Tensors are never written to: "
            "use an op such as tf.tensor_scatter_nd_add, which returns a new Tensor"
        )

    def reduceat(self, *arguments: Any, **keywords: Any) -> None:
        """Raise: there is no differentiable counterpart."""
        raise self._without("reduceat")

    def _without(self, method: str) -> TypeError:
        return OpTypeError(f"whygrad.numpy has no differentiable counterpart of numpy.{self.__name__}.{method}")
