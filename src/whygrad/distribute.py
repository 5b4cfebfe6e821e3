"""`whygrad.distribute`: training on several devices and hosts, on JAX's runtime."""

from whygrad.engines.processes import ProcessLostError
from whygrad.modules.strategies import (
    DataParallel,
    barrier,
    initialize,
    process_count,
    process_index,
    shutdown,
)

__all__ = [
    "DataParallel",
    "ProcessLostError",
    "barrier",
    "initialize",
    "process_count",
    "process_index",
    "shutdown",
]
