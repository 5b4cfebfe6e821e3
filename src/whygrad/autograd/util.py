"""Small things that programs import."""

from typing import Any


def func(f: Any) -> Any:
    """A method as the function that it is."""
    return f
