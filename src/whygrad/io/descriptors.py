"""Descriptors of messages, for the functions of the package protobuf that read them: `text_format` and `json_format`."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from whygrad.io import examples
from whygrad.io.examples import Message

_PACKAGE = "tensorflow"


@functools.cache
def descriptor_of(kind: Any) -> Any:
    """The descriptor of a class of messages."""
    if kind is examples.entry_of(examples.Feature):
        return descriptor_of(examples.Features).fields_by_name["feature"].message_type
    if kind is examples.entry_of(examples.FeatureList):
        return descriptor_of(examples.FeatureLists).fields_by_name["feature_list"].message_type
    return _pool().FindMessageTypeByName(f"{_PACKAGE}.{kind.__name__}")


@functools.cache
def _pool() -> Any:
    """The descriptors of `tf.train.Example` and its kin, in a pool of their own: TensorFlow's may be in the common one."""
    try:
        descriptor_pb2: Any = importlib.import_module("google.protobuf.descriptor_pb2")
        descriptor_pool: Any = importlib.import_module("google.protobuf.descriptor_pool")
    except ImportError:
        raise AttributeError(
            "descriptors of messages need the package protobuf, as its text_format and json_format do: pip install protobuf"
        ) from None
    file: Any = descriptor_pb2.FileDescriptorProto(name="whygrad/example.proto", package=_PACKAGE, syntax="proto3")
    for kind in (
        *(examples.BytesList, examples.FloatList, examples.Int64List, examples.Feature, examples.Features),
        *(examples.Example, examples.FeatureList, examples.FeatureLists, examples.SequenceExample),
    ):
        _describe(file.message_type.add(), kind)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return pool


def _describe(message: Any, kind: type[Message]) -> None:
    """Add the fields of a class of messages to its description."""
    message.name = kind.__name__
    if kind.ONE_OF is not None:
        message.oneof_decl.add(name=kind.ONE_OF)
    for name, (number, holds) in kind.FIELDS.items():
        field = message.field.add(name=name, number=number, label="LABEL_OPTIONAL")
        if isinstance(holds, type):
            _refer(field, holds.__name__)
            if kind.ONE_OF is not None and name not in kind.OUTSIDE:
                field.oneof_index = 0
            continue
        field.label = field.LABEL_REPEATED
        if holds[0] == "map":
            entry = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
            entry.options.map_entry = True
            entry.field.add(name="key", number=1, label="LABEL_OPTIONAL", type="TYPE_STRING")
            _refer(entry.field.add(name="value", number=2, label="LABEL_OPTIONAL"), holds[1].__name__)
            _refer(field, f"{kind.__name__}.{entry.name}")
        elif holds[1] in _SCALARS:
            field.type = field.Type.Value(_SCALARS[holds[1]])
        else:
            _refer(field, "Feature")


def _refer(field: Any, name: str) -> None:
    """Let a field hold messages of a class."""
    field.type = field.TYPE_MESSAGE
    field.type_name = f".{_PACKAGE}.{name}"


_SCALARS: dict[Any, str] = {
    examples.as_bytes: "TYPE_BYTES",
    examples.as_float: "TYPE_FLOAT",
    examples.as_integer: "TYPE_INT64",
}
