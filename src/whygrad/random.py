"""`tf.random`."""

from whygrad import random_experimental as experimental
from whygrad.ops.candidates import all_candidate_sampler, log_uniform_candidate_sampler, uniform_candidate_sampler
from whygrad.ops.random import (
    Algorithm,
    Generator,
    categorical,
    create_rng_state,
    fold_in,
    gamma,
    get_global_generator,
    normal,
    poisson,
    set_global_generator,
    set_seed,
    shuffle,
    split,
    stateless_binomial,
    stateless_categorical,
    stateless_gamma,
    stateless_normal,
    stateless_parameterized_truncated_normal,
    stateless_poisson,
    stateless_truncated_normal,
    stateless_uniform,
    truncated_normal,
    uniform,
)
