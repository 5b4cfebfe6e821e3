"""`check_grads`: derivatives against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.autograd.operators import Argnum, _at_arguments
from whygrad.functional.arguments import left
from whygrad.functional.flat import ravel_nested
from whygrad.functional.gradients import jvp, vjp
from whygrad.values import nest

_STEP, _TOLERANCE = 1e-6, 1e-6


def check_grads(
    f: Callable[..., Any], argnum: Argnum = 0, modes: Sequence[str] = ("fwd", "rev"), order: int = 2
) -> Callable[..., None]:
    """A function that raises AssertionError where the derivatives of `f` at its arguments are not those of finite differences."""

    def check(*args: Any, **kwargs: Any) -> None:
        function, chosen = _at_arguments(f, argnum, args, kwargs)
        point, restore = ravel_nested(chosen)
        _check(lambda x: _vector(function(*restore(x))), np.asarray(point, float), modes, order)

    return check


def _vector(value: Any) -> Any:
    return ravel_nested(value)[0]


def _check(function: Callable[[Any], Any], point: Any, modes: Sequence[str], order: int) -> None:
    draws = np.random.default_rng(0)
    direction = draws.normal(size=point.shape)
    ends = [np.asarray(nest.map_structure(left, function(point + sign * _STEP / 2 * direction))) for sign in (1, -1)]
    expected = (ends[0] - ends[1]) / _STEP
    weights = draws.normal(size=expected.shape)
    for mode in modes:
        if mode == "rev":
            (pulled,) = vjp(function, point)[1](weights)
            found, wanted = np.sum(pulled * direction), np.sum(weights * expected)
        else:
            found, wanted = np.sum(jvp(function, (point,), (direction,))[1] * weights), np.sum(weights * expected)
        close = abs(found - wanted) < _TOLERANCE or abs(found - wanted) < _TOLERANCE * abs(found + wanted)
        assert close, f"the derivative ({mode}) is {found}, but finite differences give {wanted}"
    if order > 1:
        _check(lambda x: vjp(function, x)[1](weights)[0], point, modes, order - 1)
