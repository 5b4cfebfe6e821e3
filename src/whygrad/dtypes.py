"""`tf.dtypes`."""

from whygrad.ops.elementwise import cast, complex, saturate_cast
from whygrad.values.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from whygrad.values.dtypes import bool_ as bool
