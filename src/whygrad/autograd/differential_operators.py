"""autograd's operators on functions, in terms of `whygrad.grad` and similar functions."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.autograd.boxes import Box, boxed, conjugated, cotangent_of, is_object, object_cotangents
from whygrad.functional import gradients
from whygrad.functional.arguments import quoted_name
from whygrad.functional.gradients import Numbers, named_after, vjp
from whygrad.numpy import products, reductions
from whygrad.numpy.elementwise import real
from whygrad.tape.custom_gradient import recompute_grad
from whygrad.values import nest
from whygrad.values.errors import OpTypeError

Function = Callable[..., Any]
Argnum = int | Sequence[int]


def grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The gradient of a function that returns one number.

    The gradient of a complex argument is autograd's: the conjugate of TensorFlow's and of `whygrad.grad`'s.
    """
    derived = gradients.grad(fun, argnum)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        if not _holds_objects(args):
            return conjugated(derived(*args, **kwargs))
        return value_and_grad(fun, argnum)(*args, **kwargs)[1]

    return named_after(fun, gradient, "gradient")


def value_and_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The value and the gradient."""
    derived = gradients.value_and_grad(fun, argnum)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        if not _holds_objects(args):
            value, found = derived(*args, **kwargs)
            return value, conjugated(found)
        pull_back, value = make_vjp(fun, argnum)(*args, **kwargs)
        if np.size(value) != 1:
            raise OpTypeError(
                f"grad differentiates functions that return one number, but {quoted_name(fun)} returns an array of shape {np.shape(value)}"
            )
        return value, pull_back(np.ones(np.shape(value)))

    return named_after(fun, value_and_gradient, "value and gradient")


def grad_and_aux(fun: Function, argnum: Argnum = 0) -> Function:
    """The gradient of the first of two results, and the second."""
    derived = gradients.grad(fun, argnum, has_aux=True)

    def gradient(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        found, aux = derived(*args, **kwargs)
        return conjugated(found), aux

    return named_after(fun, gradient, "gradient")


def jacobian(fun: Function, argnum: int = 0) -> Function:
    """The jacobian, of the result's shape followed by the argument's."""
    derived = gradients.jacobian(fun, argnum)
    return named_after(fun, lambda *args, **kwargs: conjugated(derived(*args, **kwargs)), "jacobian")


def hessian(fun: Function, argnum: int = 0) -> Function:
    """The jacobian of the jacobian."""
    return jacobian(jacobian(fun, argnum), argnum)


def elementwise_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The sum of the rows of the jacobian: the derivative, of a function that works element by element."""

    def total(*args: Any, **kwargs: Any) -> Any:
        return reductions.sum(fun(*args, **kwargs))

    return grad(named_after(fun, total, "sum"), argnum)


def deriv(fun: Function, argnum: Argnum = 0) -> Function:
    """The derivative in forward mode, of a function that works element by element."""

    def derivative(*args: Any, **kwargs: Any) -> Any:
        chosen = _at_arguments(fun, argnum, args, kwargs)[1]
        ones = nest.map_structure(np.ones_like, chosen)
        return make_jvp(fun, argnum)(*args, **kwargs)(ones[0] if isinstance(argnum, int) else ones)[1]

    return named_after(fun, derivative, "derivative")


def holomorphic_grad(fun: Function, argnum: Argnum = 0) -> Function:
    """The complex derivative of a function that is holomorphic: the gradient of its real part."""
    return grad(named_after(fun, lambda *args, **kwargs: real(fun(*args, **kwargs)), "real part"), argnum)


def grad_named(fun: Function, argname: str) -> Function:
    """The gradient by the argument of this name."""
    return grad(fun, list(inspect.signature(fun).parameters).index(argname))


def multigrad_dict(fun: Function) -> Function:
    """The gradients by all arguments, as a dict from their names."""
    signature = inspect.signature(fun)

    def gradients_by_name(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()

        def of_all(arguments: dict[str, Any]) -> Any:
            given = inspect.BoundArguments(signature, OrderedDict(arguments))
            return fun(*given.args, **given.kwargs)

        found: dict[str, Any] = grad(of_all)(dict(bound.arguments))
        return found

    return named_after(fun, gradients_by_name, "gradients")


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


def _holds_objects(args: Any) -> bool:
    """Whether a value of a type that the program registered a `Box` for is among some arguments."""
    return bool(Box.types) and any(map(is_object, nest.flatten(args)))


def _boxed_call(function: Function, chosen: list[Any]) -> list[Any]:
    """A function that puts objects into boxes, followed by its arguments, in which a number stands for each object."""

    def with_boxes(*given: Any) -> Any:
        return function(*nest.map_structure(_box, chosen, list(given)))

    return [with_boxes, *nest.map_structure(lambda each: np.zeros(()) if is_object(each) else each, chosen)]


def _box(original: Any, given: Any) -> Any:
    return boxed(original, given) if is_object(original) else given


def _cotangent(given: Any, found: Any) -> Any:
    return cotangent_of(given._value, given._handle) if isinstance(given, Box) else found


def make_vjp(fun: Function, argnum: Argnum = 0) -> Function:
    """A function that gives a pair at its arguments: how cotangents of the value are pulled back, and the value."""

    def made(*args: Any, **kwargs: Any) -> tuple[Function, Any]:
        function, chosen = _at_arguments(fun, argnum, args, kwargs)
        single = isinstance(argnum, int)
        if not _holds_objects(chosen):
            value, pull_back = vjp(function, *chosen)

            def pulled(g: Any) -> Any:
                found = conjugated(pull_back(conjugated(g)))
                return found[0] if single else found

            return pulled, value
        seen: list[Any] = []  # the arguments with the objects in boxes

        def noting(*given: Any) -> Any:
            seen[:] = given
            return function(*given)

        value, pull_back = vjp(*_boxed_call(noting, chosen))

        def pulled_to_objects(g: Any) -> Any:
            with object_cotangents():
                found = nest.map_structure(_cotangent, seen, list(conjugated(pull_back(conjugated(g)))))
            return found[0] if single else tuple(found)

        return pulled_to_objects, value

    return named_after(fun, made, "vjp")


def make_jvp(fun: Function, argnum: Argnum = 0) -> Function:
    """A function that gives, at its arguments, how the value moves with them."""

    def made(*args: Any, **kwargs: Any) -> Function:
        function, chosen = _at_arguments(fun, argnum, args, kwargs)
        single = isinstance(argnum, int)
        return lambda v: gradients.jvp(function, chosen, [v] if single else list(v))

    return named_after(fun, made, "jvp")


def make_jvp_reversemode(fun: Function, argnum: int = 0) -> Function:
    """A function that gives, at its arguments, how the value moves with them, by differentiating the vjp."""

    def made(*args: Any, **kwargs: Any) -> Function:
        pull_back, value = make_vjp(fun, argnum)(*args, **kwargs)
        found: Function = make_vjp(pull_back)(_zeros_like(value))[0]
        return found

    return named_after(fun, made, "jvp")


def _half_of_squares(x: Any) -> Any:
    return 0.5 * reductions.sum(x**2, axis=-1)


def make_ggnvp(f: Function, g: Function = _half_of_squares, f_argnum: int = 0) -> Function:
    """A function that gives, at its arguments, how vectors are multiplied by the generalized Gauss-Newton matrix of `g(f(x))`."""

    def made(*args: Any, **kwargs: Any) -> Function:
        pull_back, value = make_vjp(f, f_argnum)(*args, **kwargs)
        curve = make_vjp(grad(g))(value)[0]
        push = make_jvp_reversemode(f, f_argnum)(*args, **kwargs)
        return lambda v: pull_back(curve(push(v)))

    return named_after(f, made, "ggnvp")


def _zeros_like(value: Any) -> Any:
    return nest.map_structure(lambda each: np.zeros(np.shape(each), np.result_type(each)), value)


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


def checkpoint(fun: Function) -> Function:
    """`fun`, without keeping anything for the backward pass: it is computed again when gradients are taken."""
    again: Function = recompute_grad(fun)
    return again
