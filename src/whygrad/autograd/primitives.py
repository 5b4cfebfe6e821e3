"""Functions with a derivative of the program's own: `primitive`, `defvjp`, `defjvp` and their variants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from whygrad.autograd.boxes import (
    Box,
    add_cotangent,
    boxed,
    conjugated,
    cotangent_of,
    getval,
    handle_of,
    is_object,
    new_handle,
    outside,
    vspace,
    wraps,
)
from whygrad.autograd.tracing import Node, traced_call, untraced
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.ops.creation import ones_like
from whygrad.tape.custom_gradient import custom_gradient
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

Function = Callable[..., Any]

# Reverse mode: from `(argnums, ans, args, kwargs)` to the function that pulls a cotangent back.
primitive_vjps: dict[Function, Function] = {}
# Forward mode: from `(argnums, tangents, ans, args, kwargs)` to the tangent of the result.
primitive_jvps: dict[Function, Function] = {}


class VJPNode(Node):
    """Stands for reverse mode in `register_notrace`."""


class JVPNode(Node):
    """Stands for forward mode in `register_notrace`."""


class SparseObject:
    """A cotangent that is zero in most places: `mut_add` adds it to an array of its vector space `vs`."""

    def __init__(self, vs: Any, mut_add: Callable[[Any], Any]) -> None:
        self.vs = vs
        self.mut_add = mut_add


def primitive(f: Function) -> Function:
    """A function that is not looked into: it computes on arrays, and `defvjp` says how it is differentiated.

    >>> import whygrad.autograd.numpy as np
    >>> from whygrad.autograd import grad
    >>> from whygrad.autograd.extend import defvjp, primitive
    >>> square = primitive(lambda x: x * x)
    >>> defvjp(square, lambda ans, x: lambda g: 2.0 * g * x)
    >>> grad(lambda x: square(x) * 3.0)(2.0)
    np.float64(12.0)
    """

    @wraps(f)
    def called(*args: Any, **kwargs: Any) -> Any:
        call = _Call(called, f, args, kwargs)
        if not call.places:
            return f(*args, **kwargs)
        if called in untraced.get(VJPNode, ()):
            return f(*call.values(), **kwargs)
        return traced_call(called, call, args, kwargs)

    called.fun = f  # type: ignore[attr-defined]
    return called


class _Call:
    """One call of a primitive with tensors or boxes among its arguments: an op with a gradient of its own."""

    def __init__(self, function: Function, f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._function, self._f, self._args, self._kwargs = function, f, args, kwargs
        self._leaves = nest.flatten(list(args))
        self.places = [i for i, leaf in enumerate(self._leaves) if _is_followed(leaf)]
        if self.places:
            self._numbers = [path[0] for path in nest.paths(list(args))]  # of the argument that each leaf is in
            self.argnums = sorted({self._numbers[place] for place in self.places})

    def values(self) -> list[Any]:
        """The arguments as arrays and objects; arrays are copies, which may be changed."""
        found: list[Any] = nest.map_structure(getval, list(self._args))
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made: list[Any] = []  # the object that was computed, and its handle

        @custom_gradient
        @wraps(self._f)
        def op(*handles: Tensor) -> Any:
            answer = self._f(*self.values(), **kwargs)
            if is_object(answer):
                made.append(getval(answer))
                result: Any = new_handle()
            else:
                result = nest.map_structure(as_numpy_does, answer)

            def pull_back(*gs: Tensor) -> list[Any]:
                return self._pulled(self._packed(result, gs) if not made else cotangent_of(*made), made, answer)

            if self._function in primitive_jvps:
                pull_back.push_forward = lambda tangents: self._pushed(tangents, answer)  # type: ignore[attr-defined]
            return result, pull_back

        found = op(*[handle_of(self._leaves[place]) for place in self.places])
        if not made:
            return found
        made.append(found)
        return boxed(made[0], found)

    @staticmethod
    def _packed(structure: Any, gs: Sequence[Tensor]) -> Any:
        return nest.pack_sequence_as(structure, list(gs)) if nest.is_nested(structure) else gs[0]

    def _given(self, answer: Any, made: list[Any]) -> tuple[Any, list[Any]]:
        """The result and the arguments that rules are handed: where the sweep is differentiated itself, those that can be followed."""
        if any(each.differentiates for each in state.recorders):
            return self._function(*self._args, **self._kwargs), list(self._args)
        return made[0] if made else answer, self.values()

    def _pulled(self, g: Any, made: list[Any], answer: Any) -> list[Any]:
        """The cotangent of each tensor and of each handle."""
        if self._function not in primitive_vjps:
            raise _undefined("VJP", "defvjp", self._function, self.argnums)
        result, given = self._given(answer, made)
        pulled = primitive_vjps[self._function](tuple(self.argnums), result, tuple(given), self._kwargs)(
            conjugated(outside(g))
        )
        found = {number: nest.flatten(conjugated(_dense(each))) for number, each in zip(self.argnums, pulled)}
        first = {number: self._numbers.index(number) for number in found}
        return [self._taken(self._leaves[i], found[self._numbers[i]][i - first[self._numbers[i]]]) for i in self.places]

    @staticmethod
    def _taken(leaf: Any, cotangent: Any) -> Tensor:
        if isinstance(leaf, Box):
            add_cotangent(leaf, cotangent)
            return ones_like(leaf._handle)  # not zero: the sweep goes on to what made the object
        return convert(cotangent, leaf.dtype)

    def _pushed(self, tangents: Sequence[Any], answer: Any) -> Any:
        """The tangent of the result, from those of the tensors among the arguments; None stands for one that does not move."""
        result, given = self._given(answer, [])
        moving = dict(zip(self.places, tangents))
        argnums, gs = [], []
        for number in self.argnums:
            places = [i for i, each in enumerate(self._numbers) if each == number]
            if any(moving.get(i) is not None for i in places):
                here = [moving.get(i) if moving.get(i) is not None else _still(self._leaves[i]) for i in places]
                argnums.append(number)
                gs.append(outside(nest.pack_sequence_as(self._args[number], here)))
        rule = primitive_jvps[self._function]
        return nest.map_structure(as_numpy_does, rule(tuple(argnums), gs, result, tuple(given), self._kwargs))


def _is_followed(leaf: Any) -> bool:
    return isinstance(leaf, Box) or (isinstance(leaf, Tensor | Variable) and leaf.dtype.is_differentiable)


def _still(leaf: Any) -> Any:
    return vspace(leaf).zeros()


def _dense(cotangent: Any) -> Any:
    return cotangent.mut_add(cotangent.vs.zeros()) if isinstance(cotangent, SparseObject) else cotangent


def _name(function: Function) -> str:
    return str(getattr(function, "__name__", "the primitive"))


def _undefined(kind: str, definer: str, function: Function, argnums: Sequence[int]) -> OpNotImplementedError:
    numbers = ", ".join(map(str, argnums))
    return OpNotImplementedError(
        f"{kind} of {_name(function)} wrt argument number {numbers} is not defined: define it with {definer}"
    )


def notrace_primitive(f: Function) -> Function:
    """A function whose result is a constant: it computes on arrays, and no derivative passes through it."""

    @wraps(f)
    def called(*args: Any, **kwargs: Any) -> Any:
        return f(*map(getval, args), **kwargs)

    return called


def defvjp_argnums(fun: Function, vjpmaker: Function) -> None:
    """Say how a primitive is differentiated by several arguments at once: from `(argnums, ans, args, kwargs)` to what pulls back."""
    primitive_vjps[fun] = vjpmaker


def defvjp_argnum(fun: Function, vjpmaker: Function) -> None:
    """Say how a primitive is differentiated by its argument number `argnum`: from `(argnum, ans, args, kwargs)` to what pulls back."""

    def joint(argnums: Sequence[int], *rest: Any) -> Function:
        pulls = [vjpmaker(number, *rest) for number in argnums]
        return lambda g: [pull(g) for pull in pulls]

    defvjp_argnums(fun, joint)


def defvjp(fun: Function, *vjpmakers: Function | None, argnums: Iterable[int] | None = None) -> None:
    """Say how a primitive is differentiated: a function for each argument from `(ans, *args)` to the function that pulls back.

    None stands for a derivative that is zero.
    """
    makers = _by_number("VJP", fun, vjpmakers, argnums)

    def made(number: int, ans: Any, args: Any, kwargs: Any) -> Function:
        if number not in makers:
            raise _undefined("VJP", "defvjp", fun, (number,))
        maker = makers[number]
        return (lambda g: vspace(args[number]).zeros()) if maker is None else maker(ans, *args, **kwargs)

    defvjp_argnum(fun, made)


def defjvp_argnums(fun: Function, jvpmaker: Function) -> None:
    """Say how a primitive moves with several arguments at once: from `(argnums, tangents, ans, args, kwargs)` to its tangent."""
    primitive_jvps[fun] = jvpmaker


def defjvp_argnum(fun: Function, jvpmaker: Function) -> None:
    """Say how a primitive moves with its argument number `argnum`: from `(argnum, tangent, ans, args, kwargs)` to its tangent."""

    def joint(argnums: Sequence[int], gs: Sequence[Any], ans: Any, args: Any, kwargs: Any) -> Any:
        first, *others = [jvpmaker(number, g, ans, args, kwargs) for number, g in zip(argnums, gs)]
        for each in others:
            first = vspace(first).add(first, each)
        return first

    defjvp_argnums(fun, joint)


def defjvp(fun: Function, *jvpfuns: Function | str | None, argnums: Iterable[int] | None = None) -> None:
    """Say how a primitive moves with its arguments: a function for each from `(g, ans, *args)` to the tangent of the result.

    None stands for a tangent that is zero, "same" for a function that is linear in this argument.

    >>> import whygrad.autograd.numpy as np
    >>> from whygrad.autograd import make_jvp
    >>> from whygrad.autograd.extend import defjvp, primitive
    >>> cube = primitive(lambda x: x**3)
    >>> defjvp(cube, lambda g, ans, x: 3.0 * x**2 * g)
    >>> make_jvp(cube)(2.0)(1.0)
    (np.float64(8.0), np.float64(12.0))
    """
    makers = _by_number("JVP", fun, jvpfuns, argnums)

    def tangent(number: int, g: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        if number not in makers:
            raise _undefined("JVP", "defjvp", fun, (number,))
        maker = makers[number]
        if maker is None:
            return vspace(ans).zeros()
        return _linear(fun, number, g, args, kwargs) if maker == "same" else maker(g, ans, *args, **kwargs)

    defjvp_argnum(fun, tangent)


def def_linear(fun: Function) -> None:
    """Say that a primitive is linear in each of its arguments: it moves as itself."""
    defjvp_argnum(fun, lambda number, g, ans, args, kwargs: _linear(fun, number, g, args, kwargs))


def _linear(fun: Function, number: int, g: Any, args: Sequence[Any], kwargs: Any) -> Any:
    return fun(*args[:number], g, *args[number + 1 :], **kwargs)


def _by_number(kind: str, fun: Function, makers: Sequence[Any], argnums: Iterable[int] | None) -> dict[int, Any]:
    for maker in makers:
        if not (maker is None or callable(maker) or (maker == "same" and kind == "JVP")):
            raise OpTypeError(f"a {kind} of {_name(fun)} must be a function or None, not {maker!r}")
    return dict(zip(count() if argnums is None else argnums, makers))
