"""Gradient descent in autograd's three variants, for nested parameters; `grad(params, i)` gives the gradient of step number `i`."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from whygrad.functional.flat import ravel_nested

Gradient = Callable[[Any, int], Any]
Callback = Callable[[Any, int, Any], Any] | None


def _descend(grad: Gradient, x0: Any, callback: Callback, num_iters: int, steps: Callable[[Any], Any]) -> Any:
    """Move parameters by the steps that a generator gives for the gradients it is sent."""
    x, restore = ravel_nested(x0)
    steps_of = steps(np.zeros(len(x)))
    next(steps_of)
    for i in range(num_iters):
        gradient = grad(restore(x), i)
        if callback:
            callback(restore(x), i, gradient)
        x = x + steps_of.send(ravel_nested(gradient)[0])
    return restore(x)


def sgd(
    grad: Gradient, x: Any, callback: Callback = None, num_iters: int = 200, step_size: float = 0.1, mass: float = 0.9
) -> Any:
    """Gradient descent with momentum."""

    def steps(velocity: Any) -> Generator[Any, Any, None]:
        g = yield
        while True:
            velocity = mass * velocity - (1.0 - mass) * g
            g = yield step_size * velocity

    return _descend(grad, x, callback, num_iters, steps)


def rmsprop(
    grad: Gradient,
    x: Any,
    callback: Callback = None,
    num_iters: int = 100,
    step_size: float = 0.1,
    gamma: float = 0.9,
    eps: float = 1e-8,
) -> Any:
    """Steps divided by the root of a moving average of the squares."""

    def steps(zeros: Any) -> Generator[Any, Any, None]:
        squares = zeros + 1.0
        g = yield
        while True:
            squares = squares * gamma + g**2 * (1 - gamma)
            g = yield -step_size * g / (np.sqrt(squares) + eps)

    return _descend(grad, x, callback, num_iters, steps)


def adam(
    grad: Gradient,
    x: Any,
    callback: Callback = None,
    num_iters: int = 100,
    step_size: float = 0.001,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> Any:
    """Adam."""

    def steps(zeros: Any) -> Generator[Any, Any, None]:
        mean, squares, i = zeros, zeros, 0
        g = yield
        while True:
            i += 1
            mean = (1 - b1) * g + b1 * mean
            squares = (1 - b2) * g**2 + b2 * squares
            g = yield -step_size * (mean / (1 - b1**i)) / (np.sqrt(squares / (1 - b2**i)) + eps)

    return _descend(grad, x, callback, num_iters, steps)
