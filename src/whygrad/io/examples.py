"""`tf.train.Example` and its parts: messages that TFRecord files hold, in protocol buffers' format."""

from __future__ import annotations

import functools
import operator
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from whygrad._public import export
from whygrad.io import wire


class Repeated(list[Any]):
    """The values of a field that has several."""

    def __init__(
        self, check: Callable[[Any], Any], values: Iterable[Any] = (), used: Callable[[Any], None] | None = None
    ) -> None:
        self._check = check
        self._used = used  # called when something is added: only then is the field set
        super().__init__([check(each) for each in _iterable(values)])

    def append(self, value: Any, /) -> None:
        """Add a value."""
        self.extend([value])

    def extend(self, values: Iterable[Any], /) -> None:
        """Add values."""
        super().extend([self._check(each) for each in values])
        if self._used is not None:
            self._used(self)

    MergeFrom = extend

    def insert(self, at: Any, value: Any, /) -> None:
        """Add a value at a place."""
        self[at:at] = [value]

    def __setitem__(self, at: Any, value: Any, /) -> None:
        super().__setitem__(at, [self._check(each) for each in value] if isinstance(at, slice) else self._check(value))
        if self._used is not None:
            self._used(self)

    def add(self) -> Any:
        """Add an empty message, and return it."""
        self.append(None)
        return self[-1]


def _iterable(values: Any) -> Iterable[Any]:
    if not isinstance(values, Iterable):
        raise TypeError("must assign iterable")
    return values


class MessageMap(dict[str, Any]):
    """Messages by name: one that is asked for exists from then on."""

    def __init__(self, kind: type[Message], values: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._kind: Any = kind
        for key, value in (values or {}).items():
            self.put(key, value if isinstance(value, kind) else kind(**value))

    def __missing__(self, key: str) -> Any:
        made = self._kind()
        self.put(key, made)
        return made

    def __setitem__(self, key: str, value: Any) -> None:
        raise ValueError("Direct assignment of submessage not allowed")

    def put(self, key: str, value: Message) -> None:
        """Hold a message by this name."""
        super().__setitem__(key, value)

    def GetEntryClass(self) -> type[Message]:
        """The class of a message with a key and its value."""
        return entry_of(self._kind)


def as_bytes(value: Any) -> bytes:
    """A value of a field of bytes."""
    if not isinstance(value, bytes):
        raise TypeError(f"expected bytes, {type(value).__name__} found")
    return bytes(value)


def one_bytes(value: Any = b"") -> bytes:
    """A field that holds bytes."""
    return as_bytes(value)


def one_text(value: Any = "") -> str:
    """A field that holds text."""
    if not isinstance(value, str):
        raise TypeError(f"bad argument type for built-in operation: expected str, {type(value).__name__} found")
    return value


def one_integer(value: Any = 0) -> int:
    """A field that holds a number of 64 bits."""
    return as_integer(value)


def one_double(value: Any = 0.0) -> float:
    """A field that holds a float64."""
    return float(value)


def _one_field(number: int, holds: Callable[..., Any], value: Any) -> bytes:
    """A field with one value. The default of its type is not written."""
    if not value:
        return b""
    if holds is one_integer:
        return wire.varint(number << 3) + wire.varint(value)
    if holds is one_double:
        return wire.varint(number << 3 | 1) + struct.pack("<d", value)
    return wire.field(number, value.encode() if isinstance(value, str) else value)


def _one_value(holds: Callable[..., Any], kind: int, found: Any) -> Any:
    if holds is one_integer:
        if kind != 0:
            raise wire.DecodeError("a number has another wire type")
        return wire.signed(found)
    if holds is one_double:
        if kind != 1:
            raise wire.DecodeError("a number has another wire type")
        return struct.unpack("<d", found)[0]
    data = _bytes_of(kind, found)
    return _text(data) if holds is one_text else data


def as_float(value: Any) -> float:
    """A value of a field of float32."""
    if isinstance(value, str | bytes | None):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(np.float32(value))


def as_integer(value: Any) -> int:
    """A value of a field of integers of 64 bits."""
    if isinstance(value, bool):
        raise TypeError("Field tensorflow.Int64List.value: Expected an int, got a boolean.")
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"Value out of range: {number}")
    return number


class Description:
    """The descriptor of a message's class, for protobuf's own functions; it needs the package protobuf."""

    def __get__(self, instance: Message | None, owner: Any) -> Any:
        from whygrad.io.descriptors import descriptor_of

        return descriptor_of(owner)


class Message:
    """A message: its fields are attributes, `SerializeToString` gives its bytes, and its text is that of protocol buffers."""

    # By name: the field's number, and what it holds: a message, ("map", ...), ("list", check) or ("one", check).
    FIELDS: ClassVar[dict[str, tuple[int, Any]]] = {}
    ONE_OF: ClassVar[str | None] = None  # the name of the choice of which at most one field is set
    OUTSIDE: ClassVar[tuple[str, ...]] = ()  # the fields that are no part of that choice
    DESCRIPTOR = Description()

    def __init__(self, **values: Any) -> None:
        self._values: dict[str, Any] = {}
        self._owner: tuple[Message, str] | None = None  # the message that this would be a part of
        for name, value in values.items():
            if name not in self.FIELDS:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
            if value is not None:
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        kind = self.FIELDS[name][1]
        if isinstance(kind, type):
            if not isinstance(value, kind):
                value = kind(**value)
            self._choose(name)
            self._values[name] = value
        elif kind[0] == "map":
            self._values[name] = MessageMap(kind[1], value)
        elif kind[0] == "one":
            self._choose(name)
            self._values[name] = kind[1](value)
        else:
            self._values[name] = Repeated(kind[1], value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        elif name not in self.FIELDS:
            raise AttributeError(f"Protocol message {type(self).__name__} has no {name!r} field.")
        elif isinstance(self.FIELDS[name][1], type) or self.FIELDS[name][1][0] != "one":
            raise AttributeError(
                f'Assignment not allowed to message, map, or repeated field "{name}" in protocol message object.'
            )
        else:
            self._set(name, value)

    def _choose(self, name: str) -> None:
        if self.ONE_OF is not None and name not in self.OUTSIDE:
            for other in [each for each in self._values if each != name and each not in self.OUTSIDE]:
                del self._values[other]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.FIELDS:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        found = self._values.get(name)
        if found is None:
            kind = self.FIELDS[name][1]
            if isinstance(kind, type):
                found = kind()
                if self.ONE_OF is not None and name not in self.OUTSIDE:  # it is set once something is added to it
                    found._owner = self, name
                    return found
            elif kind[0] == "map":
                found = MessageMap(kind[1])
            elif kind[0] == "one":
                return kind[1]()
            else:
                return Repeated(kind[1], used=lambda values: self._use(name, values))
            self._values[name] = found
        return found

    def _use(self, name: str, values: Repeated) -> None:
        """Set a field to which something was added, and the field that this message is."""
        self._values[name] = values
        self.SetInParent()

    def SetInParent(self) -> None:
        """Set the field that this message is, even if it is empty."""
        if self._owner is not None:
            owner, place = self._owner
            owner._choose(place)
            owner._values[place] = self
            owner.SetInParent()

    def _items(self) -> Iterator[tuple[str, Any]]:
        for name in self.FIELDS:
            if name in self._values:
                yield name, self._values[name]

    def HasField(self, name: str) -> bool:
        """Whether a field is set, or one of a choice."""
        if name == self.ONE_OF:
            return self.WhichOneof(name) is not None
        if name not in self.FIELDS:
            raise ValueError(f'Protocol message {type(self).__name__} has no field "{name}".')
        if not _is_single(self.FIELDS[name][1]):
            raise ValueError(f'Protocol message {type(self).__name__} has no singular "{name}" field.')
        return name in self._values

    def ListFields(self) -> list[tuple[Any, Any]]:
        """The fields that are set, each as its descriptor and value. Descriptors need the package protobuf."""
        descriptors = type(self).DESCRIPTOR.fields_by_name  # an error keeps its words: no `__getattr__` of a class
        found = [
            (descriptors[name], value) for name, value in self._items() if _is_single(self.FIELDS[name][1]) or value
        ]
        return sorted(found, key=lambda each: each[0].number)

    def Clear(self) -> None:
        """Set no field."""
        self._values.clear()

    def ClearField(self, name: str) -> None:
        """Take back a field, or what is set of a choice."""
        if name not in self.FIELDS and name != self.ONE_OF:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        held = self.WhichOneof(name) if name == self.ONE_OF else name
        if held is not None:
            self._values.pop(held, None)

    def MergeFrom(self, other: Self) -> None:
        """Add what another message holds."""
        if type(other) is not type(self):
            raise TypeError(
                f"Parameter to MergeFrom() must be instance of same class: expected {type(self).__name__} got {type(other).__name__}."
            )
        self._merge(other.SerializeToString())
        self.SetInParent()

    def CopyFrom(self, other: Self) -> None:
        """Hold what another message holds."""
        if other is not self:
            self.Clear()
            self.MergeFrom(other)

    def IsInitialized(self) -> bool:
        """True: no field must be set."""
        return True

    def ByteSize(self) -> int:
        """The number of bytes of the message."""
        return len(self.SerializeToString())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).FromString, (self.SerializeToString(),)

    def WhichOneof(self, group: str) -> str | None:
        """The name of the field that is set."""
        if group != self.ONE_OF:
            raise ValueError(f'Protocol message {type(self).__name__} has no oneof "{group}" field.')
        return next((name for name, _ in self._items() if name not in self.OUTSIDE), None)

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """The bytes of the message; with `deterministic`, maps are in the order of their keys."""
        parts = []
        for name, value in self._items():
            number, kind = self.FIELDS[name]
            if isinstance(kind, type):
                parts.append(wire.field(number, value.SerializeToString(deterministic)))
            elif kind[0] == "map":
                for key, each in sorted(value.items()) if deterministic else value.items():
                    entry = wire.field(1, key.encode()) + wire.field(2, each.SerializeToString(deterministic))
                    parts.append(wire.field(number, entry))
            elif kind[0] == "one":
                parts.append(_one_field(number, kind[1], value))
            elif kind[1] is as_float:
                parts.append(wire.field(number, wire.packed_floats(value)) if value else b"")
            elif kind[1] is as_integer:
                parts.append(wire.field(number, b"".join([wire.varint(each) for each in value])) if value else b"")
            else:
                parts += [
                    wire.field(number, each if isinstance(each, bytes) else each.SerializeToString(deterministic))
                    for each in value
                ]
        return b"".join(parts)

    SerializePartialToString = SerializeToString

    @classmethod
    def FromString(cls, serialized: bytes) -> Self:
        """The message that these bytes are; raises DecodeError if they are none."""
        made = cls()
        made.MergeFromString(serialized)
        return made

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the message that these bytes are."""
        self._values.clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized: bytes) -> int:
        """Add what these bytes hold."""
        try:
            self._merge(bytes(serialized))
        except wire.DecodeError as error:
            raise wire.DecodeError(
                f"Error parsing message with type 'tensorflow.{type(self).__name__}': {error}"
            ) from None
        return len(serialized)

    def _merge(self, data: bytes) -> None:
        names = {number: name for name, (number, _) in self.FIELDS.items()}
        for number, kind, found in wire.fields(data):
            name = names.get(number)
            if name is None:
                continue
            holds = self.FIELDS[name][1]
            if isinstance(holds, type):
                inner = self._values.get(name)
                if inner is None:
                    self._choose(name)
                    inner = self._values[name] = holds()
                inner._merge(_bytes_of(kind, found))
            elif holds[0] == "map":
                parts = {n: each for n, _, each in wire.fields(_bytes_of(kind, found))}
                entry = holds[1]()
                entry._merge(parts.get(2, b""))
                getattr(self, name).put(_text(parts.get(1, b"")), entry)
            elif holds[0] == "one":
                self._choose(name)
                self._values[name] = _one_value(holds[1], kind, found)
            elif holds[1] is as_float:
                getattr(self, name).extend(wire.floats(kind, found))
            elif holds[1] is as_integer:
                getattr(self, name).extend(wire.integers(kind, found))
            elif holds[1] is as_bytes:
                getattr(self, name).append(_bytes_of(kind, found))
            else:
                getattr(self, name).add()._merge(_bytes_of(kind, found))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.SerializeToString(True) == other.SerializeToString(True)

    __hash__ = None  # type: ignore[assignment]

    def _lines(self, indent: str) -> Iterator[str]:
        for name, value in self._items():
            if isinstance(value, MessageMap):
                for key, each in sorted(value.items()):
                    yield f"{indent}{name} {{"
                    yield f"{indent}  key: {_quoted(key.encode())}"
                    yield f"{indent}  value {{"
                    yield from each._lines(indent + "    ")
                    yield f"{indent}  }}"
                    yield f"{indent}}}"
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, Message):
                    yield f"{indent}{name} {{"
                    yield from each._lines(indent + "  ")
                    yield f"{indent}}}"
                elif self.FIELDS[name][1] == ("one", one_double):
                    yield f"{indent}{name}: {each:.17g}"
                else:
                    yield f"{indent}{name}: {_shown(each)}"

    def __repr__(self) -> str:
        lines = list(self._lines(""))
        return "\n".join(lines) + "\n" if lines else ""


def _is_single(kind: Any) -> bool:
    """Whether a field has one value."""
    return isinstance(kind, type) or kind[0] == "one"


@functools.cache
def entry_of(kind: Any) -> type[Message]:
    """The class of an entry of a map: a key, and a message of this class."""
    return type("Entry", (Message,), {"FIELDS": {"key": (1, ("one", one_text)), "value": (2, kind)}})


def _bytes_of(kind: int, found: Any) -> bytes:
    if kind != 2:
        raise wire.DecodeError("a field has another wire type")
    return bytes(found)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise wire.DecodeError("a name is not UTF-8") from None


def _shown(value: Any) -> str:
    if isinstance(value, bytes):
        return _quoted(value)
    if isinstance(value, str):
        return _quoted(value.encode())
    if isinstance(value, float):
        text = str(np.float32(value))
        return text.removesuffix(".0")
    return str(value)


_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def _quoted(data: bytes) -> str:
    return (
        '"'
        + "".join([_ESCAPES.get(each) or (chr(each) if 32 <= each < 127 else f"\\{each:03o}") for each in data])
        + '"'
    )


@export("train.BytesList")
class BytesList(Message):
    """Strings of bytes of a feature.

    >>> import whygrad as tf
    >>> tf.train.BytesList(value=[b"ant"]).value
    [b'ant']
    """

    FIELDS = {"value": (1, ("list", as_bytes))}


@export("train.FloatList")
class FloatList(Message):
    """Numbers of float32 of a feature.

    >>> import whygrad as tf
    >>> tf.train.FloatList(value=[0.5, 2]).value
    [0.5, 2.0]
    """

    FIELDS = {"value": (1, ("list", as_float))}


@export("train.Int64List")
class Int64List(Message):
    """Integers of a feature.

    >>> import whygrad as tf
    >>> tf.train.Int64List(value=[3]).value
    [3]
    """

    FIELDS = {"value": (1, ("list", as_integer))}


@export("train.Feature")
class Feature(Message):
    """The values of one feature: a `BytesList`, a `FloatList` or an `Int64List`.

    >>> import whygrad as tf
    >>> tf.train.Feature(int64_list=tf.train.Int64List(value=[3])).WhichOneof("kind")
    'int64_list'
    """

    FIELDS = {"bytes_list": (1, BytesList), "float_list": (2, FloatList), "int64_list": (3, Int64List)}
    ONE_OF = "kind"


@export("train.Features")
class Features(Message):
    """Features by name.

    >>> import whygrad as tf
    >>> list(tf.train.Features(feature={"age": tf.train.Feature()}).feature)
    ['age']
    """

    FIELDS = {"feature": (1, ("map", Feature))}


@export("train.Example")
class Example(Message):
    """Features by name, as a record of a TFRecord file holds them.

    >>> import whygrad as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": age}))
    >>> record = example.SerializeToString()
    >>> tf.train.Example.FromString(record).features.feature["age"].int64_list.value
    [3]
    """

    FIELDS = {"features": (1, Features)}


def _as_feature(value: Any) -> Feature:
    return Feature() if value is None else value if isinstance(value, Feature) else Feature(**value)


@export("train.FeatureList")
class FeatureList(Message):
    """The values of one feature, step by step.

    >>> import whygrad as tf
    >>> len(tf.train.FeatureList(feature=[tf.train.Feature()]).feature)
    1
    """

    FIELDS = {"feature": (1, ("list", _as_feature))}


@export("train.FeatureLists")
class FeatureLists(Message):
    """Lists of features by name.

    >>> import whygrad as tf
    >>> list(tf.train.FeatureLists(feature_list={"words": tf.train.FeatureList()}).feature_list)
    ['words']
    """

    FIELDS = {"feature_list": (1, ("map", FeatureList))}


@export("train.SequenceExample")
class SequenceExample(Message):
    """Features of a whole sequence, and of each of its steps.

    >>> import whygrad as tf
    >>> tf.train.SequenceExample().HasField("context")
    False
    """

    FIELDS = {"context": (1, Features), "feature_lists": (2, FeatureLists)}
