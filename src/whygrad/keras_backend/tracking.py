"""What Keras's layers, models and optimizers inherit from TensorFlow: objects that a checkpoint follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Trackable:
    """An object of Keras's that has others as attributes. Keras calls `_track_trackable` for each of them."""

    _self_tracked: Mapping[str, Any] = {}  # on the class too: Keras does not save the attributes that every object has

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        self.__dict__.setdefault("_self_tracked", {})[name] = trackable
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return dict(self._self_tracked)
