"""Load Keras on whygrad: its TensorFlow backend, with whygrad wherever Keras's own modules import `tensorflow`."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import sys
from types import ModuleType

from whygrad.keras_backend import imports

OLDEST, TOO_NEW = (3, 12), (3, 17)
_INSTALL = "pip install 'whygrad[keras]'"


def load() -> ModuleType:
    """Import Keras on whygrad, and return its `tf.keras` namespace.

    Raises ModuleNotFoundError where Keras is not installed, and ImportError for a version that whygrad does not know, or if the program
    has imported Keras with another backend already.
    """
    prepare()
    return importlib.import_module("keras._tf_keras.keras")


def is_installed() -> bool:
    """Whether Keras can be imported."""
    try:
        importlib.metadata.version("keras")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def prepare() -> None:
    """Let the Keras that is imported from now on run on whygrad. Keras itself is not imported."""
    if imports.is_active():
        return
    if not is_installed():
        raise ModuleNotFoundError(f"tf.keras is Keras 3, which is not installed: {_INSTALL}", name="keras")
    version = importlib.metadata.version("keras")
    number = tuple(map(int, re.findall(r"\d+", version)[:2]))
    if not OLDEST <= number < TOO_NEW:
        known = f"{OLDEST[0]}.{OLDEST[1]} to {TOO_NEW[0]}.{TOO_NEW[1] - 1}"
        raise ImportError(f"whygrad runs Keras {known}, and Keras {version} is installed: {_INSTALL}", name="keras")
    if "keras" in sys.modules:
        raise ImportError(
            "Keras is already imported, on another backend: put `import whygrad.keras` before the first `import keras`",
            name="keras",
        )
    imports.activate()
