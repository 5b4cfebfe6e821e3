"""What Keras's layers, models, optimizers and variables inherit from TensorFlow: objects that a checkpoint follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whygrad.modules import tracking
from whygrad.values.variable import Variable


class Trackable(tracking.Trackable):
    """A Keras object that has others as attributes. Keras calls `_track_trackable` for each of them."""

    _self_tracked: Mapping[str, Any] = {}  # on the class too: Keras does not save the attributes that every object has

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        self.__dict__.setdefault("_self_tracked", {})[name] = trackable
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return dict(self._self_tracked)

    def _checkpointed(self) -> Iterator[tuple[str, Any]]:
        """The attributes that a checkpoint follows: Keras's variables and objects, and lists and dicts of them."""
        for name, value in self.__dict__.items():
            if name not in ("_self_tracked", "_restoring") and _leads_to_variables(value):
                yield name, value


def _leads_to_variables(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(isinstance(each, Trackable) for each in value)
    if isinstance(value, dict):
        return any(isinstance(each, Trackable) for each in value.values()) and all(
            isinstance(key, str) for key in value
        )
    return isinstance(value, Variable | Trackable)
