"""`tf.compat`: Python's kinds of numbers and text, sizes of shapes, and dates of TensorFlow's own changes."""

from __future__ import annotations

import contextlib
import datetime
import numbers
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad._public import export

bytes_or_text_types = export("compat.bytes_or_text_types")((bytes, str))
complex_types = export("compat.complex_types")((numbers.Complex, np.number))
integral_types = export("compat.integral_types")((numbers.Integral, np.integer))
real_types = export("compat.real_types")((numbers.Real, np.integer, np.floating))

_FUTURE = datetime.date(9999, 1, 1)
_horizon = [_FUTURE]  # changes of TensorFlow up to this date are in force; the last entry counts


@export("compat.path_to_str")
def path_to_str(path: Any) -> str:
    """A path as text; text as it is.

    >>> import pathlib
    >>> import whygrad as tf
    >>> tf.compat.path_to_str(pathlib.PurePosixPath("a", "b"))
    'a/b'
    """
    return os.fsdecode(path) if hasattr(path, "__fspath__") else path


@export("compat.dimension_value")
def dimension_value(dimension: int | None) -> int | None:
    """A size in a shape, which is a Python integer or None already.

    >>> import whygrad as tf
    >>> tf.compat.dimension_value(tf.TensorShape([2, None])[0])
    2
    """
    return dimension


@export("compat.dimension_at_index")
def dimension_at_index(shape: Any, index: int) -> int | None:
    """The size at an index of a shape; None in a shape of unknown rank.

    >>> import whygrad as tf
    >>> tf.compat.dimension_at_index(tf.TensorShape([2, None]), 0)
    2
    """
    return None if shape.rank is None else shape[index]


@export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether a change that TensorFlow made on this date is in force: True, outside of `forward_compatibility_horizon`.

    >>> import whygrad as tf
    >>> tf.compat.forward_compatible(2019, 7, 5)
    True
    """
    return _horizon[-1] > datetime.date(year, month, day)


@export("compat.forward_compatibility_horizon")
@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Let `forward_compatible` say False of this date and later ones, inside the block.

    >>> import whygrad as tf
    >>> with tf.compat.forward_compatibility_horizon(2018, 8, 2):
    ...     tf.compat.forward_compatible(2019, 7, 5)
    False
    """
    _horizon.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizon.pop()
