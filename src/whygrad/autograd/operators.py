"""autograd's operators on functions, in terms of `whygrad.grad` and similar functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.functional import gradients
from whygrad.functional.gradients import Numbers, named_after, vjp
from whygrad.numpy import products, reductions

Function = Callable[..., Any]
Argnum = int | Sequence[int]


def grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The gradient of a function that returns one number."""
    return gradients.grad(fun, argnum)


def value_and_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The value and the gradient."""
    return gradients.value_and_grad(fun, argnum)


def grad_and_aux(fun: Function, argnum: Argnum = 0) -> Function:
    """The gradient of the first of two results, and the second."""
    return gradients.grad(fun, argnum, has_aux=True)


def jacobian(fun: Function, argnum: int = 0) -> Function:
    """The jacobian, of the result's shape followed by the argument's."""
    return gradients.jacobian(fun, argnum)


def hessian(fun: Function, argnum: int = 0) -> Function:
    """The jacobian of the jacobian."""
    return gradients.jacobian(gradients.jacobian(fun, argnum), argnum)


def elementwise_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The sum of the rows of the jacobian: the derivative, of a function that works element by element."""

    def total(*args: Any, **kwargs: Any) -> Any:
        return reductions.sum(fun(*args, **kwargs))

    return gradients.grad(named_after(fun, total, "sum"), argnum)


def _at_arguments(
    fun: Function, argnum: Argnum, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Function, list[Any]]:
    """A function of the differentiated arguments alone, and these."""
    numbers = Numbers(argnum, fun, "make_vjp").among(args)

    def function(*chosen: Any) -> Any:
        given = list(args)
        for number, value in zip(numbers, chosen):
            given[number] = value
        return fun(*given, **kwargs)

    return named_after(fun, function, "arguments"), [args[number] for number in numbers]


def make_vjp(fun: Function, argnum: Argnum = 0) -> Function:
    """A function that gives a pair at its arguments: how cotangents of the value are pulled back, and the value."""

    def made(*args: Any, **kwargs: Any) -> tuple[Function, Any]:
        function, chosen = _at_arguments(fun, argnum, args, kwargs)
        value, pull_back = vjp(function, *chosen)
        single = isinstance(argnum, int)
        return (lambda g: pull_back(g)[0] if single else pull_back(g)), value

    return named_after(fun, made, "vjp")


def make_jvp(fun: Function, argnum: Argnum = 0) -> Function:
    """A function that gives, at its arguments, how the value moves with them."""

    def made(*args: Any, **kwargs: Any) -> Function:
        function, chosen = _at_arguments(fun, argnum, args, kwargs)
        single = isinstance(argnum, int)
        return lambda v: gradients.jvp(function, chosen, [v] if single else list(v))

    return named_after(fun, made, "jvp")


def make_hvp(fun: Function, argnum: int = 0) -> Function:
    """A function that gives a pair at its arguments: how vectors are multiplied by the hessian, and the gradient."""
    return make_vjp(grad(fun, argnum), argnum)


def hessian_tensor_product(fun: Function, argnum: int = 0) -> Function:
    """A function of the arguments and a tensor: the hessian times the tensor."""
    slope = grad(fun, argnum)

    def along(*args: Any, **kwargs: Any) -> Any:
        *given, direction = args
        return products.tensordot(slope(*given, **kwargs), direction, np.ndim(direction))

    return grad(named_after(fun, along, "slope"), argnum)


def tensor_jacobian_product(fun: Function, argnum: int = 0) -> Function:
    """A function of the arguments and a tensor: the tensor times the jacobian."""

    def along(*args: Any, **kwargs: Any) -> Any:
        *given, weights = args
        return products.tensordot(weights, fun(*given, **kwargs), np.ndim(weights))

    return jacobian(named_after(fun, along, "product"), argnum)


hessian_vector_product = hessian_tensor_product
vector_jacobian_product = tensor_jacobian_product
