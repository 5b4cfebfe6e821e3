"""`tf.random.experimental`."""

from whygrad.ops.random import (
    Algorithm,
    Generator,
    create_rng_state,
    get_global_generator,
    set_global_generator,
    stateless_shuffle,
)
from whygrad.ops.random import fold_in as stateless_fold_in
from whygrad.ops.random import split as stateless_split

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "set_global_generator",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]
