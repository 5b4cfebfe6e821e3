"""What differs between TensorFlow and whygrad in Keras itself: applied to a Keras module right after it is executed.

A patch replaces a name that the module must have. Where Keras changed underneath, `_replace` says so in one sentence.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from whygrad.compile.output_specs import open_size, output_specs
from whygrad.data.dataset import Dataset
from whygrad.keras_backend import repeated_updates, scopes, tensorflow_names
from whygrad.ops.indexing import gather_nd
from whygrad.ops.shaping import reshape
from whygrad.sparse.construction import to_dense
from whygrad.sparse.tensor import SparseTensor, from_arrays
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpError, OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor

_patches: dict[str, list[Callable[[ModuleType], None]]] = {}


def apply(module: ModuleType) -> None:
    """Apply the patches for this module."""
    for patch in _patches.get(module.__name__, ()):
        patch(module)


@contextlib.contextmanager
def surroundings(name: str) -> Iterator[None]:
    """What a module finds while it is executed: Keras's configuration finds that the backend is TensorFlow's.

    The program chose it by importing `whygrad.keras`, whatever `KERAS_BACKEND` and `keras.json` say; and modules that the configuration
    imports ask for it before its end.
    """
    if name != "keras.src.backend.config":
        yield
        return
    before = os.environ.get(_BACKEND)
    os.environ[_BACKEND] = "tensorflow"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_BACKEND]
        else:
            os.environ[_BACKEND] = before


_BACKEND = "KERAS_BACKEND"  # an environment variable


def _of(name: str) -> Callable[[Callable[[ModuleType], None]], None]:
    def register(patch: Callable[[ModuleType], None]) -> None:
        _patches.setdefault(name, []).append(patch)

    return register


def _replace(owner: Any, name: str, value: Any) -> None:
    """Replace a name of a module or of one of its classes."""
    if not hasattr(owner, name):
        raise ImportError(
            f"whygrad replaces `{owner.__name__}.{name}`, which this version of Keras does not have: install a version that whygrad "
            "supports with pip install 'whygrad[keras]'",
            name="keras",
        )
    setattr(owner, name, value)


@_of("keras.src.utils.module_utils")
def _lazy_modules(module: ModuleType) -> None:
    """Keras loads these by `importlib.import_module`, which does not call our `__import__`."""
    _replace(module, "tensorflow", tensorflow_names.root())


@_of("keras.src.backend.tensorflow.sparse")
def _sparse_division(module: ModuleType) -> None:
    """Divide sparse gradients as dense ones in functions: the rows in which the divisor is 0 are known only when they run."""

    original = getattr(module, "elementwise_division", None)

    def elementwise_division(func: Callable[..., Any]) -> Callable[..., Any]:
        assert original is not None, "`_replace` has checked it"
        divided = original(func)

        @functools.wraps(func)
        def divide(x1: Any, x2: Any) -> Any:
            if state.context is not None and isinstance(x1, IndexedSlices):
                x1 = convert(x1, None)
            if isinstance(x1, SparseTensor) and isinstance(x2, Tensor) and state.context is not None and open_size():
                return x1.with_values(func(x1.values, gather_nd(x2, x1.indices)))  # only its shape is wanted
            return divided(x1, x2)

        return divide

    _replace(module, "elementwise_division", elementwise_division)


# Eager code asks for dtypes some hundred times in a step: the common answers are found without Keras's search for them.


@_of("keras.src.backend.common.dtypes")
def _promotions(module: Any) -> None:
    original = module.result_type

    @functools.lru_cache(maxsize=1024)
    def known(floatx: str, *dtypes: Any) -> Any:
        return original(*dtypes)

    @functools.wraps(original)
    def result_type(*dtypes: Any) -> Any:
        return known(module.config.floatx(), *dtypes)

    _replace(module, "result_type", result_type)


@_of("keras.src.backend.common.variables")
def _names_of_dtypes(module: Any) -> None:
    original = module.standardize_dtype
    known: dict[str, str] = {}

    @functools.wraps(original)
    def standardize_dtype(dtype: Any) -> Any:
        name = dtype.name if type(dtype) is DType else dtype
        if type(name) is not str:
            return original(dtype)
        if name not in known:
            known[name] = original(name)
        return known[name]

    _replace(module, "standardize_dtype", standardize_dtype)


@_of("keras.src.backend.tensorflow.core")
def _core(core: Any) -> None:
    _output_spec(core)
    original = core.convert_to_tensor

    @functools.wraps(original)
    def convert_to_tensor(x: Any, dtype: Any = None, sparse: Any = None, ragged: Any = None) -> Any:
        if type(x) is Tensor and (dtype is None or dtype == x.dtype.name):
            return x
        return original(x, dtype, sparse, ragged)

    _replace(core, "convert_to_tensor", convert_to_tensor)


def _output_spec(core: Any) -> None:
    """TensorFlow finds the shapes of outputs in a graph of placeholders; here the function is traced."""

    symbolic = (core.KerasTensor, Tensor)

    def compute_output_spec(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        given = core.tree.flatten((args, kwargs))
        structure: Any = None

        sparse: list[bool] = []  # of the outputs

        def flat(*tensors: Any) -> list[Any]:
            nonlocal structure
            rest = iter(tensors)
            filled = [
                (_as_sparse(next(rest)) if getattr(each, "sparse", False) else next(rest))
                if isinstance(each, symbolic)
                else each
                for each in given
            ]
            args_here, kwargs_here = core.tree.pack_sequence_as((args, kwargs), filled)
            # For each trace, since it holds what variables were assigned.
            with core.StatelessScope(), core.SymbolicScope():
                structure = fn(*args_here, **kwargs_here)
            found = core.tree.flatten(structure)
            sparse[:] = [isinstance(each, SparseTensor) for each in found]
            return [to_dense(each) if isinstance(each, SparseTensor) else each for each in found]

        flat.__name__ = getattr(fn, "__name__", flat.__name__)  # which errors name
        wanted = [TensorSpec(each.shape, each.dtype) for each in given if isinstance(each, symbolic)]
        try:
            found = output_specs(flat, wanted)
        except OpError as error:  # TensorFlow finds wrong shapes in a graph with ValueErrors
            raise OpValueError(error.fault or error.message).with_traceback(error.__traceback__) from None
        leaves = [
            core.KerasTensor(each.shape, each.dtype.name, sparse=is_sparse) if isinstance(each, TensorSpec) else each
            for each, is_sparse in zip(found, sparse)
        ]
        return core.tree.pack_sequence_as(structure, leaves)

    _replace(core, "compute_output_spec", compute_output_spec)

    def handle(self: Any) -> Any:
        """The variable itself: under a policy of mixed precision, and before it is initialized, `value` is only a tensor."""
        held = self.value if self._value is None else self._value
        return held if isinstance(held, Tensor) else held.handle

    _replace(core.Variable, "handle", property(handle))


def _as_sparse(tensor: Tensor) -> SparseTensor:
    """A sparse tensor of the shape of a tensor, with one element: in a trace, where its positions must be known."""
    first = reshape(tensor, [-1])[:1]
    return from_arrays(np.zeros((1, tensor.ndim), np.int64), first, tensor._array.shape)


@_of("keras.src.export")
def _export(module: ModuleType) -> None:
    """Export models to saved models of whygrad's. Refuse the other formats, which Keras makes from TensorFlow's graphs."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "Keras on whygrad exports models to its own format alone, since it has no TensorFlow graphs: save this one with "
            "`model.save('model.keras')`, load it with Keras on TensorFlow, and export it there"
        )

    for name in [name for name in vars(module) if name.startswith("export_")]:
        if name != "export_saved_model" and callable(getattr(module, name)):
            _replace(module, name, refuse)


# Explanations name the layers and losses in which something happens, and variables as Keras does.


def _wrap(owner: Any, name: str, wrap: Callable[[Any], Any]) -> None:
    """Replace a method by one that does more."""
    _replace(owner, name, wrap(getattr(owner, name, None)))


def _as_scopes(module: ModuleType) -> None:
    for owner, attribute, wrap in scopes.METHODS[module.__name__]:
        _wrap(getattr(module, owner), attribute, wrap)


for _name in scopes.METHODS:
    _of(_name)(_as_scopes)


@_of("keras.src.backend.tensorflow.trainer")
def _training_as_scope(module: Any) -> None:
    trainer = module.TensorFlowTrainer
    for name in ("fit", "train_on_batch"):
        _wrap(trainer, name, lambda method: scopes.training(method, trainer.train_step))
    for name in ("evaluate", "predict", "test_on_batch", "predict_on_batch"):
        _wrap(trainer, name, scopes.as_whole_call)


@_of("keras.src.backend.tensorflow.optimizer")
def _repeated_updates(module: Any) -> None:
    _wrap(module.TFOptimizer, "_backend_update_step", repeated_updates.repeating)


@_of("keras.src.callbacks.callback_list")
def _unheard_batches(module: Any) -> None:
    """Read the logs of a batch only for a callback that takes them: to read them is to wait for the end of the compiled step."""

    def for_listeners(end: Callable[..., None], hooks: Sequence[str]) -> Callable[..., None]:
        @functools.wraps(end)
        def ended(self: Any, batch: Any, logs: Any = None) -> None:
            is_default = module.utils.is_default
            if not all(is_default(getattr(each, hook)) for each in self.callbacks for hook in hooks):
                end(self, batch, logs)

        return ended

    for step in ("train", "test", "predict"):
        hooks = (f"on_{step}_batch_end", "on_batch_end")  # Keras calls the second through the first when it trains
        _wrap(module.CallbackList, f"_on_{step}_batch_end", functools.partial(for_listeners, hooks=hooks))


# Keras recognizes TensorFlow's tensors and datasets by the names of their classes and modules, and ours by their classes.


@_of("keras.src.trainers.data_adapters.data_adapter_utils")
def _tensors(module: ModuleType) -> None:
    _replace(module, "is_tensorflow_tensor", lambda value: isinstance(value, _tensor_classes()))
    _replace(module, "is_tensorflow_ragged", lambda value: isinstance(value, tensorflow_names.root().RaggedTensor))
    _replace(module, "is_tensorflow_sparse", lambda value: isinstance(value, tensorflow_names.root().SparseTensor))


def _tensor_classes() -> tuple[type, ...]:
    tf = tensorflow_names.root()
    return (Tensor, tf.RaggedTensor, tf.SparseTensor)


@_of("keras.src.trainers.data_adapters")
def _datasets(module: ModuleType) -> None:
    _replace(module, "is_tf_dataset", _is_dataset)


@_of("keras.src.utils.dataset_utils")
def _datasets_to_split(module: ModuleType) -> None:
    _replace(module, "is_tf_dataset", _is_dataset)


def _is_dataset(value: Any) -> bool:
    return isinstance(value, Dataset)
