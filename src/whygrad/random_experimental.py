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
