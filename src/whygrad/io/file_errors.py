"""Errors of the file system as TensorFlow's classes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.values.conversion import convert
from whygrad.values.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    OpTypeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnknownError,
)
from whygrad.values.tensor import Tensor, value_of

_CLASSES: list[tuple[type[OSError], type[OpError]]] = [
    (FileNotFoundError, NotFoundError),
    (PermissionError, PermissionDeniedError),
    (FileExistsError, AlreadyExistsError),
    (IsADirectoryError, FailedPreconditionError),
    (NotADirectoryError, FailedPreconditionError),
]
_NO_SPACE = 28


@contextlib.contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Raise errors of the file system in this block as TensorFlow's classes, with the file's name."""
    try:
        yield
    except OSError as error:
        made = next((made for kind, made in _CLASSES if isinstance(error, kind)), UnknownError)
        if error.errno == _NO_SPACE:
            made = ResourceExhaustedError
        raise made(None, None, f"{path}; {error.strerror or error}") from None


def path_of(value: Any) -> str:
    """A file name that was given as a string, bytes, a path or a scalar tensor."""
    if isinstance(value, str):
        return value
    if isinstance(value, Tensor | np.ndarray | np.generic):
        array = value_of(value) if isinstance(value, Tensor) else np.asarray(value)
        if array.shape:
            raise OpTypeError(f"a file name is a scalar, not of shape {array.shape}")
        value = array.item()
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "__fspath__"):
        return path_of(value.__fspath__())
    if isinstance(value, str):
        return value
    raise OpTypeError(f"a file name is a string, not {value!r}")


def paths_of(values: Any) -> list[str]:
    """File names that were given as one, as a list, or as a tensor."""
    if isinstance(values, list | tuple):
        return [each for value in values for each in paths_of(value)]
    if isinstance(values, str | bytes) or hasattr(values, "__fspath__"):
        return [path_of(values)]
    array = value_of(convert(values, None))
    return [path_of(each) for each in array.reshape(-1).tolist()]
