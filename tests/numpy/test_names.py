"""The names of `whygrad.numpy`: those of the array API standard and of Keras's NumPy backend, with NumPy's signatures and a row each."""

import inspect

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.numpy.rows import ROWS
from whygrad.numpy.ufunc import Ufunc

_ARRAY_API = """
e inf nan newaxis pi bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
__array_namespace_info__ __array_api_version__ arange asarray empty empty_like eye from_dlpack full full_like linspace
meshgrid ones ones_like tril triu zeros zeros_like astype broadcast_arrays broadcast_to can_cast finfo iinfo isdtype
result_type abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert bitwise_or
bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
greater_equal hypot imag isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and logical_not
logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder
round sign signbit sin sinh square sqrt subtract tan tanh trunc take take_along_axis matmul matrix_transpose tensordot
vecdot concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack argmax argmin
count_nonzero nonzero searchsorted where unique_all unique_counts unique_inverse unique_values argsort sort
cumulative_prod cumulative_sum max mean min prod std sum var all any diff linalg.cholesky linalg.cross linalg.det
linalg.diagonal linalg.eigh linalg.eigvalsh linalg.inv linalg.matmul linalg.matrix_norm linalg.matrix_power
linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd
linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm fft.fft fft.ifft fft.fftn fft.ifftn
fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift
"""
ARRAY_API = _ARRAY_API.split()

# Not among them: copyto and ufunc.at, which write into their arguments, as_strided, which looks into memory, and random.
_KERAS = """
abs absolute add all allclose amax amin angle any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh
argmax argmin argpartition argsort array array_split asarray average bartlett bincount bitwise_and bitwise_not
bitwise_or bitwise_xor blackman bool_ broadcast_to cbrt ceil clip concatenate conjugate copy corrcoef correlate cos
cosh count_nonzero cross cumprod cumsum deg2rad diag diagflat diagonal diff digitize divide dot dsplit dstack einsum
empty empty_like equal exp exp2 expand_dims expm1 eye fabs finfo flip fliplr flipud float16 float32 floating floor
floor_divide fmax fmin fmod full full_like gcd generic geomspace greater greater_equal hamming hanning heaviside
histogram hsplit hstack hypot i0 identity iinfo imag inf inner int32 integer isclose isfinite isin isinf isnan
isneginf isposinf isreal issubdtype ix_ kaiser kron lcm ldexp left_shift less less_equal linspace log log10 log1p log2
logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum mean median meshgrid
min minimum mod moveaxis multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndim negative newaxis nextafter nonzero not_equal ones
ones_like outer pad percentile pi power prod promote_types ptp quantile rad2deg ravel real reciprocal repeat reshape
result_type right_shift roll rot90 round searchsorted select sign signbit sin sinc sinh size sort split sqrt square
squeeze stack std subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose trapezoid tri
tril triu trunc unique unravel_index vander var vdot vectorize vsplit vstack where zeros zeros_like linalg.cholesky
linalg.det linalg.eig linalg.eigh linalg.inv linalg.lstsq linalg.matrix_rank linalg.norm linalg.pinv linalg.qr
linalg.slogdet linalg.solve linalg.svd fft.ifft2 fft.irfft fft.rfft
"""
KERAS = _KERAS.split()

# Not functions of tensors: types, results, the switches.
WITHOUT_ROW = {
    "disable_dispatch",
    "enable_dispatch",
    "errstate",
    "experimental_enable_numpy_behavior",
    "is_dispatch_enabled",
}
OTHER_SIGNATURE = {
    "arange": "NumPy's has start_or_stop, of which the keyword is start",
    "array": "ndmax is about nested sequences of objects",
    "empty_like": "the first argument is positional in NumPy",
    "linalg.tensordot": "the same function as outside linalg",
}

REMOVED = {  # parameters that were deprecated, up to NumPy 2.3
    "reshape": {"newshape"},
    "corrcoef": {"bias", "ddof"},
    **{name: {"interpolation"} for name in ("percentile", "quantile", "nanpercentile", "nanquantile")},
}


def find(namespace, path):
    for part in path.split("."):
        namespace = getattr(namespace, part, None)
    return namespace


@pytest.mark.parametrize("names", [ARRAY_API, KERAS], ids=["array API", "Keras"])
def test_no_name_is_missing(names):
    missing = [name for name in names if name != "newaxis" and find(wnp, name) is None]
    assert not missing
    assert wnp.newaxis is None


def public_functions():
    for prefix, namespace in (("", wnp), ("linalg.", wnp.linalg), ("fft.", wnp.fft)):
        for name, value in vars(namespace).items():
            if name.startswith("_") or inspect.ismodule(value) or isinstance(value, type) or not callable(value):
                continue
            if isinstance(value, Ufunc) or value.__module__.startswith("whygrad"):
                yield prefix + name, value


def test_every_function_has_a_row():
    tested = {row.name.split()[0] for row in ROWS}
    private = {"linalg.absolute", "linalg.conj", "linalg.power", "linalg.real", "linalg.sqrt"}
    without = {
        name
        for name, function in public_functions()
        if name not in tested and name not in WITHOUT_ROW and name not in private and find(np, name) is not None
    }
    assert not without


def test_parameters_are_numpys():
    for name, ours in public_functions():
        theirs = find(np, name)
        if theirs is None or isinstance(theirs, np.ufunc | type) or name in OTHER_SIGNATURE:
            continue
        try:
            signature = inspect.signature(theirs)
        except ValueError:  # a function in C: these tell their parameters since NumPy 2.4
            assert np.lib.NumpyVersion(np.__version__) < "2.4.0", name
            continue
        expected = [p for p in signature.parameters.values() if p.name not in REMOVED.get(name, ())]
        have = inspect.signature(ours).parameters.values()
        positional = [p.name for p in expected if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        given = [p.name for p in have if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        assert given[: len(positional)] == positional, name
        if not any(p.kind is p.VAR_KEYWORD for p in have):
            keywords = {p.name for p in expected if p.kind is p.KEYWORD_ONLY}
            assert keywords <= {p.name for p in have}, name


def test_experimental_numpy_is_the_same_module():
    import whygrad.experimental.numpy as tnp

    assert tnp is wnp
    assert tf.experimental.numpy is wnp


def test_array_api_inquiries():
    info = wnp.__array_namespace_info__()
    assert info.default_dtypes()["real floating"] == np.float64
    assert list(info.dtypes(kind="real floating")) == ["float32", "float64"]
    assert "int8" in info.dtypes(kind="integral")
    assert "bool" in info.dtypes()
    assert info.devices() == [info.default_device()]
    assert info.capabilities()["boolean indexing"]


@pytest.mark.parametrize("namespace", ["linalg", "fft"])
def test_the_inner_namespaces_have_all_of_numpys_names(namespace):
    missing = [name for name in getattr(np, namespace).__all__ if not hasattr(getattr(wnp, namespace), name)]
    assert not missing
