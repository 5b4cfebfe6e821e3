"""Lines of CSV, and their fields as values, as TensorFlow reads them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

_ALLOWED = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)


class Column:
    """A column of CSV: the dtype of its values, and what stands for an empty field."""

    def __init__(self, default: Any) -> None:
        self.default: Any = None  # None: the field is required
        if isinstance(default, DType | type | np.dtype):
            self.dtype = dtypes.as_dtype(default)
        else:
            tensor = convert(default, None)
            self.dtype = tensor.dtype
            if tensor.ndim > 1 or value_of(tensor).size > 1:
                raise invalid(f"Each record default should be at most a scalar, but got shape {tensor.shape}.")
            if value_of(tensor).size:
                self.default = value_of(tensor).reshape(-1)[0]
        if self.dtype not in _ALLOWED:
            raise OpTypeError(
                f"Value passed to parameter 'record_defaults' has DataType {self.dtype.name} not in list of allowed values: "
                f"{', '.join(each.name for each in _ALLOWED)}"
            )

    def value(self, field: str, number: int, record: int, na_value: str) -> Any:
        """The value of a field."""
        if field in ("", na_value):
            if self.default is None:
                raise invalid(f"Field {number} is required but missing in record {record}!")
            return self.default
        if self.dtype is dtypes.string:
            return field.encode()
        try:
            if self.dtype.is_integer:
                found = int(field)
                limits = np.iinfo(self.dtype.numpy_dtype)
                if not limits.min <= found <= limits.max:
                    raise ValueError
                return found
            return float(field)
        except ValueError:
            raise invalid(f"Field {number} in record {record} is not a valid {self.dtype.name}: {field}") from None


def fields_of(line: str, delimiter: str, quotes: bool) -> list[str]:
    """The fields of one record."""
    if not quotes or '"' not in line:
        return line.split(delimiter)
    try:
        (fields,) = csv.reader([line], delimiter=delimiter, strict=True)
    except (csv.Error, ValueError) as error:
        raise invalid(f"Quoted field has to end with quote followed by delim or end: {line!r} ({error})") from None
    return fields


def array_of(values: Sequence[Any], dtype: DType) -> np.ndarray[Any, Any]:
    """Values of a column as an array."""
    if dtype is dtypes.string:
        made = np.empty(len(values), object)
        made[:] = values
        return made
    return np.array(values, dtype.numpy_dtype)


@export("io.decode_csv")
def decode_csv(
    records: Any,
    record_defaults: Sequence[Any],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """The columns of lines of CSV, one tensor each, of the shape of `records`.

    A default is a dtype, for a field that is required, or a value for empty fields.

    >>> import whygrad as tf
    >>> names, sizes = tf.io.decode_csv(["ant,3", "bee,"], [tf.string, -1])
    >>> names.numpy(), sizes.numpy()
    (array([b'ant', b'bee'], dtype=object), array([ 3, -1], dtype=int32))
    """
    if len(field_delim) != 1:
        raise OpValueError("Argument `field_delim` should be a single character.")
    lines = value_of(convert(records, dtypes.string))
    columns = [Column(each) for each in record_defaults]
    chosen = (
        list(range(len(columns))) if select_cols is None else [integer(each, "select_cols") for each in select_cols]
    )
    if select_cols is not None and len(chosen) != len(columns):
        raise OpValueError("Length of select_cols and record_defaults do not match.")
    found: list[list[Any]] = [[] for _ in columns]
    for record, line in enumerate(lines.reshape(-1).tolist()):
        fields = fields_of(line.decode().rstrip("\r\n"), field_delim, use_quote_delim)
        if select_cols is None and len(fields) != len(columns):
            raise invalid(f"Expect {len(columns)} fields but have {len(fields)} in record {record}")
        for values, column, number in zip(found, columns, chosen):
            if number >= len(fields):
                raise invalid(f"Expect {max(chosen) + 1} fields but have {len(fields)} in record {record}")
            values.append(column.value(fields[number], number, record, na_value))
    return [wrap(array_of(values, column.dtype).reshape(lines.shape)) for values, column in zip(found, columns)]
