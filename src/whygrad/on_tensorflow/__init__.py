"""The reasons on real TensorFlow: whygrad watches a TensorFlow program, which keeps its own numbers.

    import tensorflow as tf
    import whygrad.on_tensorflow as why

    with why.tracing() as trace:
        ...                     # existing TensorFlow code
    for cause in trace.findings:
        print(cause)

`whygrad run --on tensorflow script.py` does this for a whole script (docs/on_tensorflow.md).
"""

from whygrad.on_tensorflow.library import tracing, why

__all__ = ["tracing", "why"]
