"""`odeint`, differentiated by solving the adjoint equation backwards in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.autograd.extend import defvjp_argnums, primitive
from whygrad.functional.arguments import left
from whygrad.functional.flat import ravel_nested
from whygrad.functional.gradients import vjp
from whygrad.numpy import shaping
from whygrad.numpy.products import dot
from whygrad.values import nest


def _solve(func: Callable[..., Any], y0: Any, t: Any, args: Any = (), **kwargs: Any) -> Any:
    import scipy.integrate

    def slope(y: Any, time: Any, *rest: Any) -> Any:
        return nest.map_structure(left, func(y, time, *rest))

    return scipy.integrate.odeint(slope, y0, t, tuple(args), **kwargs)


_solved = primitive(_solve)


def odeint(func: Callable[..., Any], y0: Any, t: Any, args: Any = (), **kwargs: Any) -> Any:
    """`scipy.integrate.odeint`, with derivatives by `y0`, `t` and `args`."""
    return _solved(func, y0, t, tuple(args), **kwargs)


def _adjoint(ys: Any, func: Any, y0: Any, t: Any, args: Any, **kwargs: Any) -> Callable[[Any], tuple[Any, Any, Any]]:
    """The cotangents of `y0`, `t` and `args` for one of the solution.

    The state that is solved for backwards holds the solution, its cotangent, and the cotangents of time and of the arguments so far.
    """
    times, size = ys.shape[0], ys.shape[1]
    flat, restore = ravel_nested(args) if nest.flatten(args) else (np.zeros(0), lambda x: ())

    def slope(y: Any, time: Any, parameters: Any) -> Any:
        return func(y, time, *restore(parameters))

    def backwards(state: Any, time: Any, parameters: Any) -> Any:
        value, pull_back = vjp(slope, state[:size], time, parameters)
        return shaping.concatenate([shaping.ravel(each) for each in (value, *pull_back(-state[size : 2 * size]))])

    def pulled(g: Any) -> tuple[Any, Any, Any]:
        of_y: Any = g[-1]
        of_start: Any = 0.0
        of_args: Any = flat * 0.0
        of_times: list[Any] = []
        for i in range(int(times) - 1, 0, -1):
            of_time = dot(func(ys[i], t[i], *args), g[i])
            of_times.append(of_time)
            of_start = of_start - of_time
            begin = shaping.concatenate([shaping.ravel(each) for each in (ys[i], of_y, of_start, of_args)])
            span = shaping.stack([t[i], t[i - 1]])
            end = odeint(backwards, begin, span, (flat,), **kwargs)[1]
            of_y, of_start, of_args = end[size : 2 * size] + g[i - 1], end[2 * size], end[2 * size + 1 :]
        of_times.append(of_start)
        return of_y, shaping.stack(of_times[::-1]), restore(of_args)

    return pulled


def _parts(argnums: list[int], ys: Any, args: Any, kwargs: Any) -> Callable[[Any], list[Any]]:
    pulled = _adjoint(ys, *args, **kwargs)

    def chosen(g: Any) -> list[Any]:
        found = (None, *pulled(g))  # the first argument is the function
        return [found[number] for number in argnums]

    return chosen


defvjp_argnums(_solved, _parts)
