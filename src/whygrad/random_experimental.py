"""`tf.random.experimental`."""

from whygrad.ops.random import Algorithm, Generator, create_rng_state, get_global_generator, set_global_generator
from whygrad.ops.random import fold_in as stateless_fold_in
from whygrad.ops.random import split as stateless_split
from whygrad.ops.random import stateless_shuffle
