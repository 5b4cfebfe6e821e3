"""The modules, classes and functions of TensorFlow that the witness calls or replaces, most of them private.

TensorFlow is loaded by `load`, which checks that everything is as expected and says in one sentence what is not.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

OLDEST = (2, 18)


class UnknownTensorFlow(ImportError):
    """The TensorFlow that is installed cannot be observed; the message says why."""


class Internals(NamedTuple):
    """What the witness uses of TensorFlow."""

    tensorflow: ModuleType
    op_callbacks: Any  # the module that adds and removes callbacks for ops
    context: Any  # whether this thread executes eagerly
    GradientTape: type
    EagerTensor: type  # the Python class of eager tensors, whose methods convert to NumPy and Python
    tensor_class: type  # their own class, which TensorFlow implements in C++
    ResourceVariable: type
    custom_gradient: Any  # the module that implements the decorator
    constants: Any  # the module that makes tensors of NumPy's and Python's values
    Function: type  # what `tf.function` makes
    Optional: type  # what Keras's functions give: a value that may be missing
    read_variable: Any
    assign_variable: Any
    random_seed: Any  # the module that gives ops their seeds
    logging: Any  # the module whose `print_v2` prints for `tf.print`

    def make_variable(self, dtype: Any) -> Any:
        """The handle of a new variable for tensors of any shape, of which TensorFlow and Keras keep no list."""
        name = self.context.anonymous_name()  # for a variable that lives as long as its handle
        return self.tensorflow.raw_ops.VarHandleOp(
            dtype=dtype, shape=self.tensorflow.TensorShape(None), shared_name=name
        )

    def dtype_of(self, handle: Any) -> Any:
        """The dtype of the variable with this handle."""
        return handle._handle_data.shape_and_type[0].dtype

    def versions_of(self, function: Any) -> list[Any]:
        """The concrete functions that a `tf.function` was traced to."""
        cache = getattr(getattr(function, "_variable_creation_config", None), "function_cache", None)
        return list(cache.values()) if cache else []

    @contextlib.contextmanager
    def seeds_from(self, numbers: random.Random) -> Iterator[None]:
        """Let ops draw with seeds of these numbers inside the block, and leave those of the program as they are."""
        context, get_seed = self.context.context(), self.random_seed.get_seed
        rng = getattr(context, "_rng", None)
        if rng is not None:
            context._rng = numbers
        self.random_seed.get_seed = lambda op_seed: (numbers.randint(1, 2**31 - 1), numbers.randint(1, 2**31 - 1))
        try:
            yield
        finally:
            self.random_seed.get_seed = get_seed
            if rng is not None:
                context._rng = rng


# The methods of `Function` that trace it for the first time, and give first values to the variables which that has made.
TRACE_FIRST, INITIALIZE = "_initialize", "_initialize_uninitialized_variables"
# Methods of eager tensors that `shadows.py` and others call: the public ones are watched, as exits of the program's values.
_OF_TENSORS = ("_datatype_enum", "_numpy", "_rank")


def load() -> Internals:
    """Import TensorFlow, and find what the witness uses."""
    try:
        tensorflow = importlib.import_module("tensorflow")
    except ImportError as error:
        raise UnknownTensorFlow(
            f"TensorFlow cannot be imported ({error}); `pip install tensorflow`, or run the script on whygrad: "
            "`whygrad run SCRIPT`"
        ) from error
    version = str(getattr(tensorflow, "__version__", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise UnknownTensorFlow(
            f"TensorFlow {version} is too old to be observed; 2.18 and later can be: `pip install -U tensorflow`"
        )
    try:
        found = {
            name: importlib.import_module(f"tensorflow.python.{path}")
            for name, path in {
                "op_callbacks": "framework.op_callbacks",
                "context": "eager.context",
                "backprop": "eager.backprop",
                "ops": "framework.ops",
                "variables": "ops.resource_variable_ops",
                "variable_ops": "ops.gen_resource_variable_ops",
                "custom_gradient": "ops.custom_gradient",
                "random_seed": "framework.random_seed",
                "logging": "ops.gen_logging_ops",
                "functions": "eager.polymorphic_function.polymorphic_function",
                "optionals": "data.ops.optional_ops",
                "constants": "framework.constant_op",
            }.items()
        }
        for module, name in (
            ("op_callbacks", "add_op_callback"),
            ("op_callbacks", "remove_op_callback"),
            ("context", "executing_eagerly"),
            ("context", "anonymous_name"),
            ("ops", "_EagerTensorBase"),
            ("ops", "EagerTensor"),
            ("variables", "BaseResourceVariable"),
            ("functions", "Function"),
            ("optionals", "_OptionalImpl"),
            ("constants", "convert_to_eager_tensor"),
            ("custom_gradient", "_eager_mode_decorator"),
            ("variable_ops", "read_variable_op"),
            ("variable_ops", "assign_variable_op"),
            ("random_seed", "get_seed"),
            ("logging", "print_v2"),
        ):
            getattr(found[module], name)
        for name in _OF_TENSORS:
            getattr(found["ops"].EagerTensor, name)
        for name in (TRACE_FIRST, INITIALIZE):
            getattr(found["functions"].Function, name)
    except (ImportError, AttributeError) as error:
        raise UnknownTensorFlow(
            f"TensorFlow {version} has changed inside, so that whygrad cannot observe it ({error}); "
            "run the script on whygrad: `whygrad run SCRIPT`"
        ) from error
    return Internals(
        tensorflow=tensorflow,
        op_callbacks=found["op_callbacks"],
        context=found["context"],
        GradientTape=found["backprop"].GradientTape,
        EagerTensor=found["ops"]._EagerTensorBase,
        tensor_class=found["ops"].EagerTensor,
        ResourceVariable=found["variables"].BaseResourceVariable,
        custom_gradient=found["custom_gradient"],
        constants=found["constants"],
        Function=found["functions"].Function,
        Optional=found["optionals"]._OptionalImpl,
        read_variable=found["variable_ops"].read_variable_op,
        assign_variable=found["variable_ops"].assign_variable_op,
        random_seed=found["random_seed"],
        logging=found["logging"],
    )


def packages(tensorflow: ModuleType) -> list[str]:
    """The folders of TensorFlow and of Keras, and of what these call functions by: their files are never the place of a cause."""
    found = [os.path.dirname(str(tensorflow.__file__))]
    for name in ("keras", "tf_keras", "optree", "tree"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.append(os.path.dirname(spec.origin))
    return found
