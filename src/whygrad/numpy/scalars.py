"""NumPy's scalar types and constants, and the classes that have other names here."""

from __future__ import annotations

import math

import numpy as np

from whygrad._public import export_defined
from whygrad.values import dtypes
from whygrad.values.tensor import Tensor

export_defined("numpy")

e = math.e
euler_gamma = np.euler_gamma
inf = math.inf
nan = math.nan
newaxis = None
pi = math.pi

dtype = np.dtype
errstate = np.errstate
ndarray = Tensor

bfloat16 = dtypes.bfloat16
bool = np.bool_
bool_ = np.bool_
cdouble = np.cdouble
complex64 = np.complex64
complex128 = np.complex128
complex_ = np.complex128
complexfloating = np.complexfloating
csingle = np.csingle
double = np.double
float16 = np.float16
float32 = np.float32
float64 = np.float64
float_ = np.float64
floating = np.floating
generic = np.generic
half = np.half
inexact = np.inexact
int8 = np.int8
int16 = np.int16
int32 = np.int32
int64 = np.int64
int_ = np.int_
integer = np.integer
intp = np.intp
number = np.number
object_ = np.object_
signedinteger = np.signedinteger
single = np.single
string_ = np.bytes_
uint = np.uint
uint8 = np.uint8
uint16 = np.uint16
uint32 = np.uint32
uint64 = np.uint64
unicode_ = np.str_
unsignedinteger = np.unsignedinteger
