"""Fixed points, differentiated by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad.autograd.extend import defvjp, primitive
from whygrad.functional.gradients import vjp
from whygrad.values import nest


@primitive
def fixed_point(f: Callable[[Any], Any], a: Any, x0: Any, distance: Callable[[Any, Any], Any], tol: float) -> Any:
    """The value at which `f(a)` returns its argument, found by repeating it from `x0` until steps are no longer than `tol`."""
    step = f(a)
    before, now = x0, step(x0)
    while distance(now, before) > tol:
        before, now = now, step(now)
    return now


def _pull_back(ans: Any, f: Any, a: Any, x0: Any, distance: Any, tol: float) -> Callable[[Any], Any]:
    """With x = f(a)(x), the cotangent w of x solves w = g + w df/dx: a fixed point too, so that derivatives of any order follow."""

    def adjoint(known: Any) -> Callable[[Any], Any]:
        parameters, x, g = known
        return lambda w: vjp(f(parameters), x)[1](w)[0] + g

    def pulled(g: Any) -> Any:
        zero = nest.map_structure(lambda each: each * 0.0, x0)
        w = fixed_point(adjoint, (a, ans, g), zero, distance, tol)
        return vjp(lambda parameters: f(parameters)(ans), a)[1](w)[0]

    return pulled


defvjp(fixed_point, None, _pull_back, None)
