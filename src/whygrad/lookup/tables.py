"""Tables from keys to values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.lookup.initializers import KeyedDtypes, TableInitializer
from whygrad.modules.tracking import Saved
from whygrad.ops.arguments import check_fits, flag, integer
from whygrad.ops.primitive import Primitive, apply
from whygrad.ragged.tensor import RaggedTensor
from whygrad.sparse.tensor import SparseTensor
from whygrad.strings.arguments import Array, strings_array
from whygrad.strings.hashing import fingerprint64, older_hash64
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.dtypes import DType
from whygrad.values.errors import (
    FailedPreconditionError,
    NotFoundError,
    OpTypeError,
    OpValueError,
    invalid,
    shape_text,
)
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

_NO_DERIVATIVE = "a table is looked up by its keys, and a key does not change under a small step"


def _each(keys: Array, shape: tuple[int, ...]) -> list[Any]:
    """The keys one by one, as a table holds them; those with a shape as tuples."""
    return [tuple(key) for key in keys.reshape(-1, *shape).tolist()] if shape else keys.reshape(-1).tolist()


def _lookup_forward(
    xp: Any, keys: Array, *, table: dict[Any, Any], defaults: Array, dtype: Any, key_shape: tuple[int, ...] = ()
) -> Array:
    found = [table.get(key) for key in _each(keys, key_shape)]
    shape = defaults.shape[keys.ndim - len(key_shape) :]
    out = np.empty((len(found), *shape), dtype)
    for i, value in enumerate(found):
        out[i] = defaults.reshape(-1, *shape)[i] if value is None else value
    return out.reshape(defaults.shape)


_find = Primitive(
    "lookup_table_find", _lookup_forward, no_gradient=_NO_DERIVATIVE, op_name="LookupTableFindV2", register=False
)


class Table(KeyedDtypes):
    """What the tables share: dtypes, and lookups of tensors and ragged tensors."""

    def __init__(self, key_dtype: Any, value_dtype: Any, name: str) -> None:
        super().__init__(key_dtype, value_dtype)
        self._name = name

    @property
    def name(self) -> str:
        """The table's name."""
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """The number of entries."""
        raise NotImplementedError

    def __getitem__(self, keys: Any) -> Any:
        table: Any = self
        return table.lookup(keys)

    def _keys(self, keys: Any) -> Tensor:
        tensor = keys if isinstance(keys, Tensor) else convert_to_tensor(keys, dtype_hint=self._key_dtype)
        if tensor.dtype is not self._key_dtype:
            raise OpTypeError(f"Dtype of argument `keys` must be {self._key_dtype}, received: {tensor.dtype}")
        return tensor

    def _traced(
        self, find: Callable[[Tensor], Any], keys: Tensor, key_rank: int = 0, of_value: tuple[int, ...] = ()
    ) -> Tensor:
        """A lookup in a function that is being traced: it happens at each call."""
        shape = (*keys._array.shape[: keys.ndim - key_rank], *of_value)
        return computed("a lookup in a table", find, [keys], None, TensorSpec(shape, self._value_dtype))


class _Entries(Table):
    """A table that holds its entries itself."""

    _key_shape: tuple[int, ...] = ()  # of one key

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str) -> None:
        super().__init__(key_dtype, value_dtype, name)
        self._default = convert(default_value, self._value_dtype)
        self._table: dict[Any, Any] = {}

    def size(self, name: str | None = None) -> Tensor:
        """The number of entries.

        >>> import whygrad as tf
        >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
        >>> table.insert(["a"], [1])
        >>> table.size().numpy()
        np.int64(1)
        """
        return wrap(np.array(len(self._table), np.int64))

    def _find(self, keys: Any, defaults: Any = None) -> Any:
        if isinstance(keys, RaggedTensor | SparseTensor):
            return keys._with_held(self._find(keys._held(), defaults))
        tensor = self._keys(keys)
        if state.context is not None:
            if defaults is not None:
                raise OpTypeError(StringsComputed(what="a table is looked up with them"))
            values = self._default._array.shape
            return self._traced(self._find, tensor, len(self._key_shape), values)
        shape = (*tensor._array.shape[: tensor.ndim - len(self._key_shape)], *self._default._array.shape)
        if defaults is None:
            fill = np.broadcast_to(self._default._array, shape)
        else:
            fill = value_of(convert(defaults, self._value_dtype))
            if fill.shape not in (shape, self._default._array.shape):
                raise invalid(
                    f"Expected shape {shape_text(self._default._array.shape)} or {shape_text(shape)} for default value, got "
                    f"{shape_text(fill.shape)} [Op:LookupTableFindV2]"
                )
            fill = np.broadcast_to(fill, shape)
        return apply(
            _find,
            tensor,
            table=self._table,
            defaults=fill,
            dtype=self._value_dtype.numpy_dtype,
            key_shape=self._key_shape,
        )

    def _entries(self) -> tuple[Array, Array]:
        return _as_array(list(self._table), self._key_dtype, self._key_shape), _as_array(
            list(self._table.values()), self._value_dtype, self._default._array.shape
        )

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys, and all values."""
        keys, values = self._entries()
        return wrap(keys), wrap(values)


def _as_array(elements: list[Any], dtype: DType, shape: tuple[int, ...]) -> Array:
    if dtype is dtypes.string and not shape:
        return strings_array(elements)
    return np.array(elements, dtype.numpy_dtype).reshape(len(elements), *shape)


_STATIC = {
    dtypes.string: (dtypes.string, dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.bool_),
    dtypes.int32: (dtypes.string, dtypes.int32, dtypes.float32, dtypes.float64),
    dtypes.int64: (dtypes.string, dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64),
}


@export("lookup.StaticHashTable")
class StaticHashTable(_Entries):
    """A table that does not change, from keys to values; other keys have the default value.

    >>> import whygrad as tf
    >>> pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [7, 8])
    >>> table = tf.lookup.StaticHashTable(pairs, default_value=-1)
    >>> table.lookup(tf.constant(["b", "c"])).numpy()
    array([ 8, -1], dtype=int32)
    """

    def __init__(
        self,
        initializer: TableInitializer,
        default_value: Any,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if not isinstance(initializer, TableInitializer):
            raise AttributeError(
                f"`initializer` must be a KeyValueTensorInitializer or a TextFileInitializer, not {initializer!r}"
            )
        key_dtype, value_dtype = dtypes.as_dtype(initializer.key_dtype), dtypes.as_dtype(initializer.value_dtype)
        if value_dtype not in _STATIC.get(key_dtype, ()):
            raise NotFoundError(
                None, None, f"a table from {key_dtype.name} to {value_dtype.name} does not exist [Op:HashTableV2]"
            )
        super().__init__(key_dtype, value_dtype, default_value, name or "hash_table")
        if self._default.ndim:
            raise OpValueError(
                f"Shapes {self._default.shape} and () are not compatible: `default_value` must be one value"
            )
        initializer.initialize(self)

    def fill(self, keys: Array, values: Array) -> None:
        """Add entries; a key may be repeated only with the same value."""
        for key, value in zip(keys.tolist(), values.tolist()):
            known = self._table.setdefault(key, value)
            if known != value:
                shown = key.decode(errors="replace") if isinstance(key, bytes) else key
                raise FailedPreconditionError(
                    None,
                    None,
                    f"HashTable has different value for same key. Key {shown} has {known} and trying to add value {value}",
                )

    @property
    def default_value(self) -> Tensor:
        """The value of keys that the table does not have."""
        return self._default

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of the keys, in their shape; of a ragged or sparse tensor, in its form."""
        return self._find(keys)


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(Table):
    """The ids of a vocabulary, from 0; other keys get an id among `num_oov_buckets` further ones, by their hash.

    >>> import whygrad as tf
    >>> words = tf.lookup.KeyValueTensorInitializer(["emerson", "lake"], tf.constant([0, 1], tf.int64))
    >>> table = tf.lookup.StaticVocabularyTable(words, num_oov_buckets=5)
    >>> table.lookup(tf.constant(["emerson", "lake", "nash"])).numpy()
    array([0, 1, 6])
    """

    def __init__(
        self,
        initializer: TableInitializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        buckets = integer(num_oov_buckets, "num_oov_buckets")
        if buckets <= 0:
            raise OpValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        table_dtype = dtypes.string if initializer is None else dtypes.as_dtype(initializer.key_dtype)
        if initializer is not None:
            if initializer.value_dtype is not dtypes.int64:
                raise OpTypeError(f"Invalid `value_dtype`, expected {dtypes.int64} but got {initializer.value_dtype}.")
            if table_dtype not in (dtypes.string, dtypes.int64, dtypes.int32):
                raise OpTypeError(f"Invalid `key_dtype`, expected integer or string but got {table_dtype}.")
        asked = table_dtype if lookup_key_dtype is None or initializer is None else dtypes.as_dtype(lookup_key_dtype)
        if table_dtype.is_integer != asked.is_integer:
            raise OpTypeError(
                f"Invalid `key_dtype`, expected {'integer' if asked.is_integer else 'string'} but got {table_dtype}."
            )
        super().__init__(asked, dtypes.int64, name or "vocabulary")
        self._buckets = buckets
        self._known: dict[Any, int] = {}
        if initializer is not None:
            static = StaticHashTable(initializer, -1)
            self._known = static._table

    def size(self, name: str | None = None) -> Tensor:
        """The number of ids: of the vocabulary and the buckets."""
        return wrap(np.array(len(self._known) + self._buckets, np.int64))

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The ids of the keys, in their shape; of a ragged or sparse tensor, in its form."""
        if isinstance(keys, RaggedTensor | SparseTensor):
            return keys._with_held(self.lookup(keys._held()))
        tensor = self._keys(keys)
        if state.context is not None:
            return self._traced(self.lookup, tensor)
        known, first, buckets = self._known, len(self._known), self._buckets
        flat = value_of(tensor).reshape(-1).tolist()
        ids = [first + _bucket(key, buckets) if (at := known.get(key)) is None else at for key in flat]
        return apply(
            _find,
            tensor,
            table=dict(zip(flat, ids)),
            defaults=np.zeros(tensor._array.shape, np.int64),
            dtype=np.dtype(np.int64),
        )


def _bucket(key: Any, buckets: int) -> int:
    """The bucket of a key; of an integer by its digits."""
    return fingerprint64(key if isinstance(key, bytes) else str(key).encode()) % buckets


def _plain(array: Array) -> list[Any]:
    """An array as lists of what JSON has; bytes as text of as many characters."""
    if array.dtype == object:
        return [_plain(each) if isinstance(each, np.ndarray) else each.decode("latin-1") for each in array]
    return array.tolist()  # type: ignore[no-any-return]


def _as_bytes(value: Any) -> Any:
    return [_as_bytes(each) for each in value] if isinstance(value, list) else value.encode("latin-1")


class _Changing(_Entries, Saved):
    """A table whose entries can be set and removed, and that checkpoints save."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str, checkpoint: Any) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        if self._default.ndim > 1:
            raise invalid(
                f"Default value must be a vector, got shape {shape_text(self._default.shape)} [Op:MutableHashTableOfTensorsV2]"
            )
        self._is_saved = flag(checkpoint, "checkpoint")

    def _saved_array(self) -> Array:
        if not self._is_saved:
            return np.zeros(0, np.uint8)
        dtypes_of = [self._key_dtype.name, self._value_dtype.name]
        written = json.dumps([dtypes_of, *map(_plain, self._entries()), *self._form()])
        return np.frombuffer(written.encode(), np.uint8)

    def _restore_array(self, array: Array) -> None:
        if not array.size or not self._is_saved:
            return
        saved, keys, values, *form = json.loads(array.tobytes())
        wanted = [self._key_dtype.name, self._value_dtype.name]
        if saved != wanted:
            raise invalid(f"a table from {wanted[0]} to {wanted[1]} is restored from one of {saved[0]} to {saved[1]}")
        self._begin_again(*form)
        if keys:
            kinds = (self._key_dtype, self._value_dtype)
            self.insert(
                *[_as_bytes(each) if kind is dtypes.string else each for each, kind in zip((keys, values), kinds)]
            )

    def _form(self) -> list[Any]:
        """What a checkpoint saves in addition to the entries."""
        return []

    def _begin_again(self, *form: Any) -> None:
        self._table.clear()

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Set the values of keys, new ones or known ones."""
        if state.context is not None:
            raise OpTypeError(StringsComputed(what="a table is changed"))
        of_keys = value_of(convert(keys, self._key_dtype))
        of_values = value_of(convert(values, self._value_dtype))
        self._check(of_keys, "Insert")
        expected = (*of_keys.shape[: of_keys.ndim - len(self._key_shape)], *self._default._array.shape)
        if of_values.shape != expected:
            raise invalid(
                f"Expected shape {shape_text(expected)} for value, got {shape_text(of_values.shape)} [Op:LookupTableInsertV2]"
            )
        rows = of_values.reshape(-1, *self._default._array.shape)
        for key, row in zip(self._placed(_each(of_keys, self._key_shape)), rows):
            self._table[key] = row.copy() if rows.ndim > 1 else row

    def _placed(self, keys: list[Any]) -> Iterable[Any]:
        """The keys, each of which is about to be inserted."""
        return keys

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Remove the entries of keys; those that are not in the table are left out."""
        tensor = convert(keys, None if isinstance(keys, Tensor) else self._key_dtype)
        if tensor.dtype is not self._key_dtype:
            raise OpTypeError(f"Dtype of argument `keys` must be {self._key_dtype}, received: {tensor.dtype}")
        given = value_of(tensor)
        self._check(given, "Remove")
        for key in _each(given, self._key_shape):
            value = self._table.pop(key, None)
            if value is not None:
                self._removed(key, value)

    def _removed(self, key: Any, value: Any) -> None:
        """An entry was removed."""

    def _check(self, keys: Array, action: str) -> None:
        """Raise for keys that the table cannot have."""


@export("lookup.experimental.MutableHashTable")
class MutableHashTable(_Changing):
    """A table whose entries can be set and removed; values may be vectors, as the default value is.

    >>> import whygrad as tf
    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    >>> table.insert(["a", "b"], [1, 2])
    >>> table.lookup(["a", "c"]).numpy()
    array([ 1, -1])
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)

    def lookup(self, keys: Any, dynamic_default_values: Any = None, name: str | None = None) -> Any:
        """The values of the keys; other keys get the default, or their own among `dynamic_default_values`."""
        is_composite = isinstance(keys, RaggedTensor | SparseTensor)
        return self._find(keys if is_composite else convert(keys, self._key_dtype), dynamic_default_values)


_BUCKETS = 2**17  # of a new table
_FULL = 0.8  # how much of its buckets a table fills before it doubles them
_MASK = 2**64 - 1


def _hash(key: Any) -> int:
    """The hash by which TensorFlow's dense table finds the first bucket of a key."""
    if isinstance(key, tuple):
        found = 0
        for each in key:
            found ^= _hash(each) + 0x9E3779B97F4A7800 + (found << 10) + (found >> 4) & _MASK
        return found
    return older_hash64(key) if isinstance(key, bytes) else int(key) & _MASK


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(_Changing):
    """A table whose entries can be set and removed, and two keys that it never has. A key may be a vector.

    Its entries lie in TensorFlow's buckets, which `export` shows.

    >>> import whygrad as tf
    >>> table = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, empty_key="", deleted_key="$")
    >>> table.insert(["a", "b"], [1, 2])
    >>> table.erase(["a"])
    >>> table.lookup(["a", "b"]).numpy()
    array([-1,  2])
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)
        buckets = None if initial_num_buckets is None else integer(initial_num_buckets, "initial_num_buckets")
        if buckets is not None and (buckets < 1 or buckets & (buckets - 1)):
            raise invalid(f"Number of buckets must be a power of 2, got {buckets} [Op:MutableDenseHashTableV2]")
        empty, deleted = (value_of(convert(key, self._key_dtype)) for key in (empty_key, deleted_key))
        if empty.shape != deleted.shape:
            raise invalid(
                f"Empty and deleted keys must have same shape, got shapes: {shape_text(empty.shape)} and {shape_text(deleted.shape)} "
                "[Op:MutableDenseHashTableV2]"
            )
        if (empty == deleted).all():
            raise invalid("Empty and deleted keys cannot be equal [Op:MutableDenseHashTableV2]")
        self._key_shape = empty.shape
        self._empty, (no_key,), (erased,) = empty, _each(empty, empty.shape), _each(deleted, deleted.shape)
        self._reserved = {no_key: "empty_key", erased: "deleted_key"}
        self._buckets = _BUCKETS if buckets is None else buckets
        self._places: dict[int, Any] = {}  # by bucket: the key there, or one of those reserved if it was removed
        self._left: dict[int, Any] = {}  # by bucket: the value of the key that was removed there last

    def _form(self) -> list[Any]:
        return [self._buckets]

    def _begin_again(self, *form: Any) -> None:
        super()._begin_again()
        self._places.clear()
        self._left.clear()
        self._buckets = next(iter(form), self._buckets)

    def _placed(self, keys: list[Any]) -> Iterator[Any]:
        wanted, buckets = len(self._table) + len(keys), self._buckets
        while wanted > buckets * _FULL:
            buckets *= 2
        if buckets > self._buckets:
            kept, self._places, self._left, self._buckets = self._places, {}, {}, buckets
            for _, key in sorted(kept.items()):
                if key not in self._reserved:
                    self._places[self._bucket(key)] = key
        for key in keys:
            if key not in self._table:
                self._places[self._bucket(key)] = key
            yield key

    def _bucket(self, key: Any) -> int:
        """The first free bucket for a new key."""
        at, probes = _hash(key) % self._buckets, 0
        while self._places.get(at, key) not in (key, *self._reserved):
            probes += 1
            at = (at + probes) % self._buckets
        return at

    def _removed(self, key: Any, value: Any) -> None:
        at, probes = _hash(key) % self._buckets, 0
        while self._places.get(at) != key:
            probes += 1
            at = (at + probes) % self._buckets
        self._places[at] = list(self._reserved)[1]
        self._left[at] = value

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The keys and values of all buckets, of which the table has more than entries: the others have the `empty_key` and zeros, or
        the `deleted_key` and the value that was removed. A key, or a value, without a shape is a row of one element."""
        kinds = [(self._key_dtype, self._key_shape), (self._value_dtype, self._default._array.shape)]
        for dtype, shape in kinds:
            check_fits((self._buckets, *shape), dtype.numpy_dtype, "LookupTableExportV2")
        keys = np.broadcast_to(self._empty, (self._buckets, *self._key_shape)).copy()
        no_value = b"" if self._value_dtype is dtypes.string else 0
        values = np.full((self._buckets, *self._default._array.shape), no_value, self._value_dtype.numpy_dtype)
        for at, key in self._places.items():
            keys[at] = key
            values[at] = self._table[key] if key in self._table else self._left[at]
        return wrap(keys.reshape(self._buckets, -1)), wrap(values.reshape(self._buckets, -1))

    def _check(self, keys: Array, action: str) -> None:
        if keys.shape[max(keys.ndim - len(self._key_shape), 0) :] != self._key_shape:
            raise invalid(
                f"Input key shape {shape_text(keys.shape)} must end with the table's key shape {shape_text(self._key_shape)} "
                f"[Op:LookupTable{action}V2]"
            )
        expected = (*keys.shape[:1], *self._key_shape)
        if keys.ndim > len(expected) or (self._key_shape and keys.shape != expected):
            raise invalid(
                f"Expected key shape {shape_text(expected)} got {shape_text(keys.shape)} [Op:LookupTable{action}V2]"
            )
        for key in _each(keys, self._key_shape):
            if key in self._reserved:
                raise invalid(
                    f"Using the {self._reserved[key]} as a table key is not allowed [Op:LookupTable{action}V2]"
                )

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of the keys, in their shape; of a ragged or sparse tensor, in its form."""
        flat = keys._held() if isinstance(keys, RaggedTensor | SparseTensor) else convert(keys, self._key_dtype)
        self._check(value_of(self._keys(flat)), "Find")
        return self._find(keys)

    def erase(self, keys: Any, name: str | None = None) -> None:
        """Remove the entries of keys."""
        self.remove(keys)

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Set the values of keys, new ones or known ones."""
        self.insert(keys, values)
