"""The `tensorflow` that Keras sees: whygrad's public names, and those of TensorFlow's internals that Keras uses.

Each name of TensorFlow's internals is declared here with `_internal("python.ops.math_ops.is_nan", ...)`. A name that whygrad has is never
taken from here, but for those under `__internal__` and `python`, which are no part of a public API.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from whygrad.compile.function import Function
from whygrad.io.records import records_in
from whygrad.keras_backend import exporting, tracking
from whygrad.ops.control import cond
from whygrad.ops.elementwise import clip_by_value, is_nan
from whygrad.ops.indexing import tensor_scatter_nd_update
from whygrad.ops.random_streams import do_not_require_seeds, require_seeds, seeds_are_required
from whygrad.ops.scopes import init_scope
from whygrad.ops.shaping import reshape
from whygrad.ragged.tensor import RaggedTensor
from whygrad.sparse.products import sparse_sparse_matmul
from whygrad.sparse.tensor import SparseTensor
from whygrad.summary.events import Event, SummaryMetadata
from whygrad.values.composite import CompositeTensor
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.tensor import Tensor
from whygrad.values.tensorflow_version import VERSION

_ABSENT = object()
_internals: dict[str, Any] = {}
_namespaces: dict[str, ModuleType] = {}


@functools.cache  # Keras imports from it inside functions, at every call
def root() -> ModuleType:
    """The module itself."""
    return _namespace("", importlib.import_module("whygrad"))


@functools.cache
def find(name: str) -> Any:
    """The module of a name such as `tensorflow.python.eager`; ModuleNotFoundError for one that Keras never needed."""
    found: Any = root()
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
        if not isinstance(found, ModuleType):
            raise ModuleNotFoundError(f"No module named {name!r} in whygrad, which stands in for TensorFlow", name=name)
    return found


def _namespace(path: str, namespace: ModuleType | None) -> ModuleType:
    """The module for a namespace, in which names are looked up when they are first used."""
    known = _namespaces.get(path)
    if known is not None:
        return known
    full = f"tensorflow.{path}".rstrip(".")
    module = _namespaces[path] = ModuleType(full)
    values = vars(module)
    prefix = f"{path}." if path else ""

    def __getattr__(name: str) -> Any:
        value: Any = getattr(namespace, name, _ABSENT)
        inner = prefix + name
        if value is _ABSENT:
            value = _internals.get(inner, _ABSENT)
        if isinstance(value, ModuleType):
            if value.__name__.partition(".")[0] == "whygrad":
                value = _namespace(inner, value)
        elif value is _ABSENT and any(each.startswith(f"{inner}.") for each in _internals):
            value = _namespace(inner, None)
        if value is _ABSENT:
            if namespace is not None:
                return getattr(namespace, name)  # raises the error that says what there is instead
            raise AttributeError(
                f"module {full!r} has no attribute {name!r} in whygrad, which stands in for TensorFlow"
            )
        values[name] = value
        return value

    values.update(__getattr__=__getattr__, __path__=[])
    if not path:
        values["__version__"] = VERSION
    return module


def _internal(*paths: str) -> Callable[[Any], Any]:
    """Declare a function, class or value under names of TensorFlow's internals."""

    def declare(value: Any) -> Any:
        _internals.update(dict.fromkeys(paths, value))
        return value

    return declare


# -- types --

_internal("__internal__.types.Tensor")(ActsAsTensor)
_internal("__internal__.CompositeTensor")(CompositeTensor)
_internal("__internal__.EagerTensor")(Tensor)
_internal("__internal__.tracking.Trackable")(tracking.Trackable)
_internal("__internal__.tracking.AutoTrackable")(exporting.AutoTrackable)
_internal("train.TrackableView")(exporting.TrackableView)
_internal("types.experimental.GenericFunction")(Function)
_internal("compat.v1.SummaryMetadata")(SummaryMetadata)
_internal("core.util.event_pb2.Event")(Event)
_internal("python.lib.io.tf_record.tf_record_iterator")(records_in)
_internal("available")(True)  # asked of Keras's `LazyModule`, whose place this module takes


@_internal("__internal__.tracking.no_automatic_dependency_tracking")
def _unchanged(function: Any) -> Any:
    return function


def _kind(path: str, base: type = object) -> None:
    """Declare a class of which there are no instances: Keras asks whether values belong to it."""
    _internal(path)(type(path.rpartition(".")[2], (base,), {"__doc__": "No value in whygrad is one."}))


for _path in (
    "TypeSpec",
    "distribute.TPUStrategy",
    "distribute.MultiWorkerMirroredStrategy",
    "distribute.DistributedDataset",
    "distribute.DistributedIterator",
    "distribute.DistributedValues",
    "experimental.dtensor.Layout",
    "experimental.dtensor.Mesh",
    "python.ops.linalg.sparse.sparse_csr_matrix_ops.CSRSparseMatrix",
    "saved_model.experimental.TrackableResource",
):
    _kind(_path)
_kind("python.trackable.data_structures.ListWrapper", list)
_kind("python.trackable.data_structures._DictWrapper", dict)


# -- functions --


_internal("python.ops.math_ops.is_nan")(is_nan)


@_internal("experimental.RowPartition")
class _RowPartition:
    """The division of values into rows, as far as Keras uses it to slice sparse tensors."""

    def __init__(self, row_splits: Tensor) -> None:
        self._row_splits = row_splits

    @classmethod
    def from_value_rowids(cls, value_rowids: Any, nrows: Any = None) -> _RowPartition:
        return cls(RaggedTensor.from_value_rowids(value_rowids, value_rowids, nrows).row_splits)

    def row_splits(self) -> Tensor:
        return self._row_splits


_CSR = "python.ops.linalg.sparse.sparse_csr_matrix_ops"


@_internal(f"{_CSR}.sparse_tensor_to_csr_sparse_matrix")
def _to_sparse_matrix(indices: Any, values: Any, dense_shape: Any, name: str | None = None) -> SparseTensor:
    """A sparse matrix, which is a sparse tensor here."""
    return SparseTensor(indices, values, dense_shape)


@_internal(f"{_CSR}.csr_sparse_matrix_to_sparse_tensor")
def _from_sparse_matrix(sparse_matrix: SparseTensor, type: Any, name: str | None = None) -> SparseTensor:
    return sparse_matrix


@_internal(f"{_CSR}.sparse_matrix_sparse_mat_mul")
def _sparse_matrix_product(a: SparseTensor, b: SparseTensor, type: Any) -> SparseTensor:
    return sparse_sparse_matmul(a, b)


@_internal("compiler.tf2xla.python.xla.dynamic_update_slice")
def _dynamic_update_slice(operand: Any, update: Any, indices: Any) -> Any:
    """`operand` with `update` in it, which begins at `indices` or, where it would reach beyond the end, as late as it fits."""
    whole, part = convert(operand, None), convert(update, None)
    starts = convert(indices, None)
    sizes, integers = part._array.shape, starts._array.dtype
    if not sizes:
        return part
    room = np.subtract(whole._array.shape, sizes)
    grid = np.reshape(np.indices(sizes), (len(sizes), -1)).T
    first: Any = clip_by_value(starts, 0, room.astype(integers))
    return tensor_scatter_nd_update(whole, first + grid.astype(integers), reshape(part, (-1,)))


@_internal("__internal__.smart_cond.smart_cond")
def _smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """A condition that is a Python value decides at once, and also inside a compiled function."""
    if isinstance(pred, bool | int):
        return true_fn() if pred else false_fn()
    return cond(pred, true_fn, false_fn)


@_internal("__internal__.distribute.interim.maybe_merge_call")
def _merge_call(function: Any, strategy: Any, *args: Any, **kwargs: Any) -> Any:
    return function(strategy, *args, **kwargs)


@_internal("__internal__.distribute.strategy_supports_no_merge_call")
def _supports_no_merge_call() -> bool:
    return True


@_internal("python.eager.context.async_wait", "compat.v1.reset_default_graph")
def _nothing_to_do() -> None:
    """Ops have run when they return, there are no kernels to keep, and no graph."""


class _EagerContext:
    clear_kernel_cache = staticmethod(_nothing_to_do)


_internal("python.eager.context.context")(_EagerContext)


@_internal("python.eager.context.eager_mode", "__internal__.eager_context.eager_mode")
@contextlib.contextmanager
def _eager_mode() -> Iterator[None]:
    with init_scope():
        yield


@_internal("compat.as_text")
def _as_text(bytes_or_text: str | bytes, encoding: str = "utf-8") -> str:
    return bytes_or_text.decode(encoding) if isinstance(bytes_or_text, bytes) else bytes_or_text


_internal("python.framework.config.enable_op_determinism")(require_seeds)
_internal("python.framework.config.disable_op_determinism")(do_not_require_seeds)
_internal("python.framework.config.is_op_determinism_enabled")(seeds_are_required)


@_internal("__internal__.tf2.enabled")
def _enabled() -> bool:
    return True
