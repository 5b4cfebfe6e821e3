"""`tf.train`."""

from whygrad.modules.checkpoint import (
    Checkpoint,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from whygrad.modules.checkpoint_manager import CheckpointManager
from whygrad.modules.checkpoint_state import get_checkpoint_state

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]
