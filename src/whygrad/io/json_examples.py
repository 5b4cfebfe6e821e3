"""`tf.io.decode_json_example`: examples that are written as JSON, in the form that protocol buffers have there."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.io import examples
from whygrad.io.examples import Example, Message
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap


@export("io.decode_json_example")
def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """The serialized `tf.train.Example` of each JSON text.

    >>> import whygrad as tf
    >>> text = '{"features": {"feature": {"age": {"int64List": {"value": ["3"]}}}}}'
    >>> tf.io.parse_single_example(tf.io.decode_json_example(text), {"age": tf.io.FixedLenFeature([], tf.int64)})["age"].numpy()
    np.int64(3)
    """
    given = convert(json_examples, dtypes.string)

    def decode(texts: Tensor) -> Tensor:
        array = value_of(texts)
        made = np.empty(array.size, object)
        made[:] = [_serialized(text) for text in array.reshape(-1).tolist()]
        return wrap(made.reshape(array.shape))

    return computed("tf.io.decode_json_example", decode, [given], dtypes.string, TensorSpec(given.shape, dtypes.string))


def _serialized(text: bytes) -> bytes:
    try:
        return _message_of(Example, json.loads(text)).SerializeToString()
    except (ValueError, TypeError) as error:
        raise invalid(f"Error while parsing JSON: {error} [Op:DecodeJSONExample]") from None


def _message_of(kind: type[Message], value: Any) -> Message:
    """A message of a JSON object, whose names are the fields' own or theirs in camel case."""
    if not isinstance(value, dict):
        raise ValueError(f"{kind.__name__} is an object, not {json.dumps(value)[:40]}")
    names = {written: name for name in kind.FIELDS for written in (name, _in_camel_case(name))}
    given: dict[str, Any] = {}
    for written, each in value.items():
        if written not in names:
            raise ValueError(f"{kind.__name__} has no field {written!r}")
        if each is not None:
            given[names[written]] = _field_of(kind.FIELDS[names[written]][1], each)
    return kind(**given)


def _in_camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join([part.title() for part in others])


def _field_of(holds: Any, value: Any) -> Any:
    if isinstance(holds, type):
        return _message_of(holds, value)
    if holds[0] == "map":
        if not isinstance(value, dict):
            raise ValueError(f"a map is an object, not {json.dumps(value)[:40]}")
        return {key: _message_of(holds[1], each) for key, each in value.items()}
    return [_VALUES[holds[1]](each) for each in (value if isinstance(value, list) else [value])]


def _bytes_of(value: Any) -> bytes:
    """Bytes in base64, of the usual alphabet or that of addresses, with or without padding."""
    if not isinstance(value, str):
        raise ValueError(f"bytes are a string in base64, not {json.dumps(value)[:40]}")
    usual = value.replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(usual + "=" * (-len(usual) % 4), validate=True)


def _float_of(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"a number is expected, not {json.dumps(value)[:40]}")
    return float(value)


def _integer_of(value: Any) -> int:
    number = _float_of(value)
    if not number.is_integer():
        raise ValueError(f"a whole number is expected, not {json.dumps(value)[:40]}")
    return int(number) if isinstance(value, float) else int(value)


_VALUES: dict[Any, Any] = {
    examples.as_bytes: _bytes_of,
    examples.as_float: _float_of,
    examples.as_integer: _integer_of,
}
