"""Sizes that a function accepts are learnt from its errors."""

from whygrad.compile.open_sizes import Accepted, learnt


def test_each_axis_has_its_own_rule():
    def attempt(sizes):
        columns, pixels, _ = sizes
        if columns + 2 != 9:
            raise ValueError(f"Incompatible shapes: [12,{columns + 2}] vs. [9]")
        if pixels * 4 % 28:
            raise ValueError(f"a tensor with {pixels * 4} values, but the shape requires a multiple of 28")

    assert learnt(attempt, 3) == [Accepted(exact=7), Accepted(factor=7), Accepted()]


def test_nothing_is_learnt_of_a_function_that_refuses_all_sizes():
    def attempt(sizes):
        raise ValueError(f"{sizes[0]} is not {sizes[0] + 1}")

    assert learnt(attempt, 1) is None


def test_nothing_is_learnt_of_a_function_that_accepts_all_sizes():
    assert learnt(sum, 2) == [Accepted(), Accepted()]
