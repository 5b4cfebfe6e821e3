"""`tf.config.threading`."""

from whygrad.compile.configuration import get_inter_op_parallelism_threads, set_inter_op_parallelism_threads
from whygrad.engines.workers import asked as get_intra_op_parallelism_threads
from whygrad.engines.workers import set_limit as set_intra_op_parallelism_threads

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]
