"""Data: fields by position or name, defaults, comparison and errors."""

import pytest

from whygrad.ops.traits import Interval, NoSlopeAtOrigin, Power, Root
from whygrad.runtime.data import Data


class Point(Data):
    x: int
    y: int = 0


class Coloured(Point):
    colour: str = "red"


def test_fields_are_given_by_position_or_name():
    assert Point(1, 2) == Point(x=1, y=2) == Point(1, y=2)
    assert Coloured(1, 2, "blue").colour == "blue"
    assert Point(1) == Point(1, 0) != Point(2)
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    match Coloured(1, 2):
        case Coloured(x, y, colour=colour):
            assert (x, y, colour) == (1, 2, "red")


def test_classes_without_fields_are_told_apart():
    assert Root() == Root()
    assert Root() != Power()


def test_a_replaced_field():
    assert Interval(1.0, guard="g").replace(low=2.0) == Interval(2.0, guard="g")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Point(1, 2, 3), "takes each of these once: x, y"),
        (lambda: Point(1, x=2), "takes each of these once: x, y"),
        (lambda: Point(1, z=2), "check z"),
        (lambda: NoSlopeAtOrigin(), "check guard"),
        (lambda: Root(1), "takes each of these once: nothing"),
    ],
)
def test_wrong_fields_are_refused(make, says):
    with pytest.raises(TypeError, match=says):
        make()
