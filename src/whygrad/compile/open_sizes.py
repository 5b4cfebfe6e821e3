"""Sizes in place of those that a signature leaves open, learnt from what a function refuses.

A function is traced for made-up sizes, and its body may accept only some: an axis that meets a weight has one size, and a reshape to
rows of 784 takes a multiple. Its errors say which: a number in them that changes with one size must equal one that does not, or be a
multiple of it. What is learnt is what a trace then accepts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

_NUMBER = re.compile(r"\d+")


class Accepted(NamedTuple):
    """The sizes that a function accepts for an axis: one, or the multiples of a number."""

    exact: int | None = None
    factor: int = 1

    def size(self, made_up: int) -> int:
        """The size in place of a made-up one."""
        return self.factor * made_up if self.exact is None else self.exact


def learnt(attempt: Callable[[Sequence[int]], Any], count: int) -> list[Accepted] | None:
    """Return what a function accepts for its `count` open axes; None if no sizes are found that it accepts.

    `attempt` traces it for some sizes and raises what it raises.
    """
    rules = [Accepted()] * count
    for _ in range(count + 1):
        failed = _error(attempt, _sizes(rules))
        if failed is None:
            return rules
        better = [*rules]
        for place, rule in _candidates(attempt, rules, failed):
            tried = [*rules[:place], rule, *rules[place + 1 :]]
            after = _error(attempt, _sizes(tried))
            if after is None:
                return tried
            if better == rules and _NUMBER.sub("", after) != _NUMBER.sub("", failed):  # another op refuses the next
                better = tried
        if better == rules:
            return None
        rules = better
    return None


def _sizes(rules: Sequence[Accepted]) -> list[int]:
    return [rule.size(12) for rule in rules]


def _error(attempt: Callable[[Sequence[int]], Any], sizes: Sequence[int]) -> str | None:
    try:
        attempt(sizes)
    except Exception as error:
        return str(error)
    return None


def _candidates(
    attempt: Callable[[Sequence[int]], Any], rules: Sequence[Accepted], failed: str
) -> Iterator[tuple[int, Accepted]]:
    """The axes, and what each may have to be for the error to go."""
    sizes = _sizes(rules)
    for place, rule in enumerate(rules):
        if rule != Accepted():
            continue
        varied = _error(attempt, [*sizes[:place], 2 * sizes[place], *sizes[place + 1 :]])
        first, second = _numbers(failed), _numbers(varied or "")
        if len(first) != len(second):
            continue
        fixed = dict.fromkeys(one for one, other in zip(first, second) if one == other)
        for one, other in dict.fromkeys((one, other) for one, other in zip(first, second) if one != other):
            for wanted in fixed:
                # A multiple first: of the sizes that a reshape takes, one alone would also do.
                if other == 2 * one and wanted > 1:
                    yield place, Accepted(factor=wanted // math.gcd(one // sizes[place], wanted))
                exact = sizes[place] + Fraction(wanted - one, other - one) * sizes[place]
                if exact.denominator == 1 and exact > 0:
                    yield place, Accepted(int(exact))


def _numbers(text: str) -> list[int]:
    return [int(each) for each in _NUMBER.findall(text.partition("\n")[0])]
