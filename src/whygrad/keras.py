"""`tf.keras`: Keras 3, unmodified, with whygrad in TensorFlow's place.

Importing this module imports Keras, and the module becomes Keras's own `tf.keras` namespace. After it, `import keras` in any form
gives the same Keras. Nothing of this happens with `import whygrad` alone.
"""

from __future__ import annotations

import sys
from typing import Any

from whygrad.keras_backend.loading import load

sys.modules[__name__] = load()


def __getattr__(name: str) -> Any:  # for type checkers: the names are Keras's
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
