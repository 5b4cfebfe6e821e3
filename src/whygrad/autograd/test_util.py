"""`check_grads` and its parts: derivatives against finite differences."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from whygrad.autograd.boxes import vspace
from whygrad.autograd.core import make_jvp, make_vjp
from whygrad.autograd.wrap_util import unary_to_nary

STEP, TOLERANCE = 1e-6, 1e-6


def scalar_close(a: Any, b: Any) -> bool:
    """Whether two numbers are equal up to the error of finite differences."""
    return bool(abs(a - b) < TOLERANCE or abs(a - b) < TOLERANCE * abs(a + b))


def _numeric_jvp(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """How `f(x)` moves with `x` along `v`, by finite differences."""
    space = vspace(x)
    after, before = (f(space.add(x, space.scalar_mul(v, sign * STEP / 2))) for sign in (1.0, -1.0))
    of_value = vspace(after)
    return of_value.scalar_mul(of_value.add(after, of_value.scalar_mul(before, -1.0)), 1.0 / STEP)


def check_vjp(f: Callable[[Any], Any], x: Any) -> None:
    """Raise AssertionError unless reverse mode agrees with finite differences, in one random direction."""
    pull_back, value = make_vjp(f, x)
    space, of_value = vspace(x), vspace(value)
    direction, weights = space.randn(), of_value.randn()
    pulled = space.covector(pull_back(of_value.covector(weights)))
    assert vspace(pulled) == space, f"a cotangent of {space} is one of {vspace(pulled)}"
    found = space.inner_prod(direction, pulled)
    expected = of_value.inner_prod(weights, _numeric_jvp(f, x, direction))
    assert scalar_close(found, expected), (
        f"Derivative (VJP) check of {_name(f)} failed with arg {x}: it is {found}, but finite differences give {expected}"
    )


def check_jvp(f: Callable[[Any], Any], x: Any) -> None:
    """Raise AssertionError unless forward mode agrees with finite differences, in one random direction."""
    direction = vspace(x).randn()
    check_equivalent(make_jvp(f, x)(direction)[1], _numeric_jvp(f, x, direction))


def check_equivalent(x: Any, y: Any) -> None:
    """Raise AssertionError unless two values are of one vector space, and equal along a random direction."""
    space = vspace(x)
    assert space == vspace(y), f"{x} is an element of {space}, {y} of {vspace(y)}"
    direction = space.randn()
    close = scalar_close(space.inner_prod(x, direction), space.inner_prod(y, direction))
    assert close, f"Value mismatch: the derivative (JVP) is {x}, but finite differences give {y}"


@unary_to_nary
def check_grads(f: Callable[[Any], Any], x: Any, modes: Sequence[str] = ("fwd", "rev"), order: int = 2) -> None:
    """Raise AssertionError where the derivatives of `f` at `x` are not those of finite differences."""
    if "fwd" in modes:
        check_jvp(f, x)
        if order > 1:
            moved = _named(f"jvp_{_name(f)}", lambda x, v: make_jvp(f, x)(v)[1])
            check_grads(moved, (0, 1), modes, order=order - 1)(x, vspace(x).randn())
    if "rev" in modes:
        check_vjp(f, x)
        if order > 1:
            pulled = _named(f"vjp_{_name(f)}", lambda x, v: make_vjp(f, x)[0](v))
            check_grads(pulled, (0, 1), modes, order=order - 1)(x, vspace(f(x)).randn())


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", "[unknown name]"))


def _named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    function.__name__ = name
    return function


def combo_check(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., None]:
    """`check_grads` at all combinations of some arguments: each is given as a list of values."""

    def check(*choices: Sequence[Any], **named: Sequence[Any]) -> None:
        for given in itertools.product(*choices):
            for values in itertools.product(*named.values()):
                check_grads(fun, *args, **kwargs)(*given, **dict(zip(named, values)))

    return check
