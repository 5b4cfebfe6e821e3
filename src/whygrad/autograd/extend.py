"""Functions with a derivative of the program's own: `primitive` and `defvjp`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from whygrad.autograd.plain import holds_tensor
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.tape.custom_gradient import custom_gradient
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, value_of

_makers: dict[Callable[..., Any], dict[int, Callable[..., Any] | None]] = {}

_joint_makers: dict[Callable[..., Any], Callable[..., Any]] = {}


def primitive(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is not looked into: it computes on arrays, and `defvjp` says how it is differentiated.

    >>> import whygrad.autograd.numpy as np
    >>> from whygrad.autograd import grad
    >>> from whygrad.autograd.extend import defvjp, primitive
    >>> square = primitive(lambda x: x * x)
    >>> defvjp(square, lambda ans, x: lambda g: 2.0 * g * x)
    >>> grad(lambda x: square(x) * 3.0)(2.0)
    np.float64(12.0)
    """

    @functools.wraps(f)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not holds_tensor(args):
            return f(*args, **kwargs)
        leaves = nest.flatten(list(args))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor) and leaf.dtype.is_differentiable]
        numbers = [path[0] for path in nest.paths(list(args))]

        def packed(values: list[Any]) -> Any:
            here = list(leaves)
            for place, value in zip(places, values):
                here[place] = value
            return nest.pack_sequence_as(list(args), here)

        @custom_gradient
        def op(*tensors: Tensor) -> Any:
            answer = as_numpy_does(f(*packed([_array(each) for each in tensors]), **kwargs))

            def pull_back(g: Tensor) -> list[Any]:
                given = packed(list(tensors))
                # Where the sweep is differentiated itself, the result must depend on the arguments.
                is_recorded = any(each.differentiates for each in state.recorders)
                result = called(*given, **kwargs) if is_recorded else answer
                argnums = sorted({numbers[place] for place in places})
                if called in _joint_makers:
                    pulled = _joint_makers[called](argnums, result, given, kwargs)(g)
                else:
                    pulled = [_maker(called, number)(result, *given, **kwargs)(g) for number in argnums]
                found = {number: nest.flatten(each) for number, each in zip(argnums, pulled)}
                first = {number: numbers.index(number) for number in found}
                return [_like(found[numbers[i]][i - first[numbers[i]]], leaves[i]) for i in places]

            return answer, pull_back

        return op(*[leaves[place] for place in places])

    return called


def _array(tensor: Tensor) -> Any:
    array = value_of(tensor)
    return array.copy() if array.shape else array[()]


def _like(gradient: Any, tensor: Tensor) -> Tensor:
    return convert(gradient, tensor.dtype)


def _maker(function: Callable[..., Any], number: int) -> Callable[..., Any]:
    maker = _makers.get(function, {}).get(number)
    if maker is None:
        raise OpNotImplementedError(
            f"VJP of {getattr(function, '__name__', 'the primitive')} wrt argument number {number} is not defined: define it with "
            "defvjp"
        )
    return maker


def defvjp(fun: Callable[..., Any], *vjpmakers: Callable[..., Any] | None, argnums: Any = None) -> None:
    """Say how a primitive is differentiated: a function for each argument from `(ans, *args)` to the function that pulls back."""
    numbers = range(len(vjpmakers)) if argnums is None else argnums
    _makers.setdefault(fun, {}).update(zip(numbers, vjpmakers))


def defvjp_argnums(fun: Callable[..., Any], vjpmaker: Callable[..., Any]) -> None:
    """Say how a primitive is differentiated by several arguments at once: from `(argnums, ans, args, kwargs)` to what pulls back."""
    _joint_makers[fun] = vjpmaker
