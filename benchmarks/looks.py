"""The cost of the look at gradients that plain programs get: a training step and a chain of small ops, with and without it.

    python benchmarks/looks.py

Expected: at most 1 % of either.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import whygrad as tf
from benchmarks.workloads.networks import mlp_tape
from benchmarks.workloads.small_ops import chain_tape
from whygrad.tape import gradient_tape

ROUNDS, STEPS = 300, 10
EXPECTED = 0.01


@contextlib.contextmanager
def not_looking() -> Iterator[None]:
    """Tapes that do not look at the gradients they give."""
    before = gradient_tape.looks_odd, gradient_tape.odd_positions, gradient_tape.can_hold
    gradient_tape.looks_odd = lambda place, gradients: False
    gradient_tape.odd_positions = _nothing
    gradient_tape.can_hold = lambda records: False
    try:
        yield
    finally:
        gradient_tape.looks_odd, gradient_tape.odd_positions, gradient_tape.can_hold = before


def _nothing(place: Any, gradients: Any) -> list[int]:
    place.close_at = place.calls + max(1, place.calls // 2)
    return []


def seconds(step: Callable[[], object]) -> float:
    """The time of one step."""
    start = time.perf_counter()
    for _ in range(STEPS):
        step()
    return (time.perf_counter() - start) / STEPS


def share(make: Callable[[Any], Callable[[], object]]) -> tuple[float, float]:
    """The time of a step, and the share of it that looking takes: the quickest rounds are compared, with and without in turn."""
    step = make(tf)
    quickest = {True: float("inf"), False: float("inf")}
    for number in range(ROUNDS):
        for looks in (True, False) if number % 2 else (False, True):
            with contextlib.nullcontext() if looks else not_looking():
                quickest[looks] = min(quickest[looks], seconds(step))
    return quickest[False], quickest[True] / quickest[False] - 1


def main() -> int:
    """Measure and compare with what is expected."""
    too_much = False
    for name, make in (("training step 784-128-10, batch 64", mlp_tape), ("chain of 150 ops on (8, 8)", chain_tape)):
        step, cost = share(make)
        too_much |= cost > EXPECTED
        print(f"{name}: {step * 1e6:.0f} us, of which looking takes {cost:.1%}")
    return int(too_much)


if __name__ == "__main__":
    sys.exit(main())
