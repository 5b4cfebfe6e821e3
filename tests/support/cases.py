"""Rows of the table of ops, and the inputs they draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes  # noqa: F401  (NumPy knows "bfloat16" once it is loaded)
import numpy as np


@dataclass(frozen=True)
class Input:
    """How to draw one differentiable argument: in float64 here; converted to the dtype that a test runs in."""

    shape: tuple[int, ...]
    low: float = -2.0
    high: float = 2.0

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(self.low, self.high, size=self.shape)


def anything(*shape: int) -> Input:
    return Input(shape)


def positive(*shape: int) -> Input:
    return Input(shape, 0.3, 2.5)


def unit(*shape: int) -> Input:
    """Inside (-1, 1), away from the ends."""
    return Input(shape, -0.85, 0.85)


def between(low: float, high: float, *shape: int) -> Input:
    return Input(shape, low, high)


def seeded(tf: Any) -> Any:
    """`tf` with its seed set: a row draws the same random numbers each time."""
    tf.random.set_seed(1)
    return tf


@dataclass(frozen=True)
class Case:
    """One row: `function(tf, *arguments)` is run on whygrad, by finite differences, and on TensorFlow.

    `tf` is whygrad or TensorFlow, so a row is written once. Arguments are `Input`s (drawn) or float64 arrays (as they
    are: special points). What is not differentiated (indices, flags) belongs inside the function.
    """

    name: str
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    order: int = 2  # how many derivatives finite differences can check; 0 for what has no gradient, or at corners
    complex: bool = False  # also run in complex128
    dtypes: tuple[str, ...] = ("float32", "float64")  # compared with TensorFlow in these
    tensorflow: bool = True  # whether TensorFlow has it
    compiled: bool = True  # whether it can be compiled: False where a shape depends on values
    second: bool = True  # whether TensorFlow's second derivative can be compared
    rtol: dict[str, float] = field(
        default_factory=dict
    )  # by dtype, where TensorFlow's own kernel is less exact; say why

    def draw(self, dtype: str, seed: int = 0) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        drawn = []
        for each in self.inputs:
            values = each.draw(rng) if isinstance(each, Input) else np.asarray(each)
            if dtype.startswith("complex") and values.dtype.kind != "c":
                values = values + 1j * (each.draw(rng) if isinstance(each, Input) else 0)
            drawn.append(values.astype(dtype))
        return drawn

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class BadInput:
    """A call that must fail: in whygrad with the class TensorFlow raises (or `error`) and with `sentence` in its message."""

    name: str
    function: Callable[[Any], Any]
    sentence: str
    error: type | str = "InvalidArgumentError"  # a class, or the name of one in tf.errors
    tensorflow: bool = True  # whether TensorFlow also raises; False where whygrad is stricter or its class is better

    def __str__(self) -> str:
        return self.name
