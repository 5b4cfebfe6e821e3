"""What Keras's `ExportArchive`, and `model.export` through it, asks of TensorFlow's functions and objects.

The archive is a saved model of whygrad's: the functions are Keras's endpoints, and `tf.saved_model.save` writes them.
"""

from __future__ import annotations

from typing import Any

from whygrad.compile.concrete import Concrete, all_of
from whygrad.compile.function import Function
from whygrad.keras_backend.tracking import Trackable
from whygrad.modules import tracking


class AutoTrackable(Trackable):
    """An object that is saved with all its attributes: Keras's archives have their variables and functions in one."""


class TrackableView:
    """The objects that an object leads to."""

    def __init__(self, root: Any) -> None:
        self._root = root

    @classmethod
    def children(cls, obj: Any, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """What an object holds, by name."""
        return dict(tracking.children(obj))

    def descendants(self) -> list[Any]:
        """The root, and all that it leads to."""
        found, seen = [self._root], {id(self._root)}
        for each in found:
            for child in self.children(each).values():
                if id(child) not in seen:
                    seen.add(id(child))
                    found.append(child)
        return found


def _all_versions(function: Function[..., Any]) -> list[Concrete]:
    """The versions of a function, which Keras lists: that of its signature, or those of its calls."""
    if function.input_signature is not None:
        return [function.get_concrete_function()]
    return [concrete for made in function._in_use for concrete in all_of(made)]


def _versions_by_name(
    function: Function[..., Any], save_type: str = "checkpoint", **kwargs: Any
) -> dict[str, Concrete]:
    return {f"trace_{i}": each for i, each in enumerate(_all_versions(function))}


def allow() -> None:
    """Let Keras ask functions for their versions, by names that are private in TensorFlow."""
    Function._list_all_concrete_functions = _all_versions  # type: ignore[attr-defined]
    Function._trackable_children = _versions_by_name  # type: ignore[attr-defined]
