"""Running programs on TensorFlow, watched in this process."""

import contextlib
import io
import linecache
import random
import runpy
import warnings

import numpy as np

from whygrad.on_tensorflow.witness import Witness
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import tracing


def findings(path, tf, eager=False):
    """What is found in a program that runs on TensorFlow; the causes of an exception that ends it come before the rest."""
    linecache.checkcache(str(path))
    raised = []
    witness = Witness(eager)
    for seed in (tf.random.set_seed, np.random.seed, random.seed):  # Keras draws its seeds from the last one
        seed(0)
    with np.errstate(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), witness.watching():
        warnings.simplefilter("ignore")
        with tracing() as trace:
            try:
                runpy.run_path(str(path), run_name="__main__")
            except Exception as error:
                witness.explain(error)
                raised = causes_of(error)
                if not raised and not trace.findings:
                    raise
            finally:
                tf.config.run_functions_eagerly(False)
                tf.debugging.disable_check_numerics()
    return [*raised, *trace.findings]
