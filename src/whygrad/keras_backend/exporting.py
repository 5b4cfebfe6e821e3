"""`model.export`: a Keras model as a saved model of whygrad's, with the names that Keras gives to TensorFlow's."""

from __future__ import annotations

import os
from typing import Any

from whygrad.compile.function import Function
from whygrad.modules import saved_model
from whygrad.modules.tracking import Trackable
from whygrad.values.errors import OpNotImplementedError
from whygrad.values.spec import TensorSpec

_ENDPOINT = "serve"


class Artifact(Trackable):
    """What is exported of a model: a function, and the variables."""

    def __init__(self, model: Any, signature: Any) -> None:
        self.variables = [each.value for each in model.variables]
        self.trainable_variables = [each.value for each in model.trainable_variables]
        self.non_trainable_variables = [each.value for each in model.non_trainable_variables]
        self.serve = Function(model.__call__, signature, _ENDPOINT)


def export_saved_model(
    model: Any, filepath: Any, verbose: bool | None = None, input_signature: Any = None, **kwargs: Any
) -> None:
    """Save what a model computes as the function `serve`, which `tf.saved_model.load` gives back."""
    from keras.src import tree
    from keras.src.export.export_utils import get_input_signature, make_tf_tensor_spec
    from keras.src.utils import io_utils

    if kwargs:
        raise OpNotImplementedError(f"model.export takes no {', '.join(sorted(kwargs))} here")
    given = get_input_signature(model) if input_signature is None else input_signature
    signature = tree.map_structure(
        lambda each: each if isinstance(each, TensorSpec) else make_tf_tensor_spec(each), given
    )
    artifact = Artifact(model, signature)
    concrete = artifact.serve.get_concrete_function()
    saved_model.save(artifact, filepath, signatures={_ENDPOINT: concrete, saved_model.DEFAULT_SIGNATURE: concrete})
    if verbose is None or verbose:
        text = "\n".join(concrete.pretty_printed_signature(verbose=True).split("\n")[1:])
        io_utils.print_msg(
            f"Saved artifact at '{os.fspath(filepath)}'. The following endpoints are available:\n\n* Endpoint '{_ENDPOINT}'\n{text}"
        )
