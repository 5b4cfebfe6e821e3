"""The cost of the look at gradients that plain programs get, in a training step and in a chain of small ops.

    python benchmarks/looks.py

Expected: at most 1 % of either. The functions that look are timed one by one, as the time of a whole step varies by more than that. A
close look, at every element, is taken at the first calls and then ever more seldom; here it counts with its share of 1,000 steps.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from workloads.networks import mlp_tape
from workloads.small_ops import chain_tape

import whygrad as tf
from whygrad.tape import gradient_tape
from whygrad.tape.gradient_tape import GradientTape

STEPS = 1_000
EXPECTED = 0.01
# The functions that would not be called without looking, and where they are called.
LOOKS = (
    (gradient_tape, "looks_odd"),
    (gradient_tape, "odd_positions"),
    (gradient_tape, "can_hold"),
    (GradientTape, "_let_go"),
)


def timed(function: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    """The function, which notes how long each call takes."""

    def measured(*args: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*args)
        finally:
            seconds.append(time.perf_counter() - start)

    return measured


def cost(make: Callable[[Any], Callable[[], object]]) -> tuple[float, float]:
    """The time of a step, and how much of it looking takes: medians, which other programs on the machine change little."""
    step, steps = make(tf), []
    spent: dict[str, list[float]] = {name: [] for _, name in LOOKS}
    before = [(owner, name, getattr(owner, name)) for owner, name in LOOKS]
    for owner, name, function in before:
        setattr(owner, name, timed(function, spent[name]))
    try:
        for _ in range(STEPS):
            start = time.perf_counter()
            step()
            steps.append(time.perf_counter() - start)
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)
    looking = sum(len(each) * statistics.median(each) for each in spent.values() if each) / STEPS
    return statistics.median(steps), looking


def main() -> int:
    """Measure and compare with what is expected."""
    too_much = False
    for name, make in (("training step 784-128-10, batch 64", mlp_tape), ("chain of 150 ops on (8, 8)", chain_tape)):
        step, looking = cost(make)
        too_much |= looking > EXPECTED * step
        print(f"{name}: {step * 1e6:.0f} us, of which looking takes {looking * 1e6:.2f} us, {looking / step:.2%}")
    return int(too_much)


if __name__ == "__main__":
    sys.exit(main())
