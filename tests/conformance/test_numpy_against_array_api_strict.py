"""`whygrad.numpy` against the array API standard's reference, `array-api-strict`: parameters, dtypes, shapes and values.

What the reference refuses (a mixture of kinds of dtypes, say) the standard leaves open, and it is not compared.
"""

import inspect
import itertools
import operator

import array_api_strict as reference
import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp

pytestmark = pytest.mark.filterwarnings("ignore")  # NumPy warns of inf and nan, which are compared here

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *REAL, *COMPLEX]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -1.5, 2.5, 1e30, -3.0]

UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_invert",
    "ceil",
    "conj",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_not",
    "negative",
    "positive",
    "real",
    "reciprocal",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "square",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]
BINARY = [
    "add",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "divide",
    "equal",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "less",
    "less_equal",
    "logaddexp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "nextafter",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
]
OPERATORS = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and_",
    "or_",
    "xor",
    "lshift",
    "rshift",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "matmul",
]
REDUCTIONS = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]
TRANSFORMS = ["fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft"]

# Functions of one dtype: the shapes of the arrays, and what is computed of them.
CALLS = {
    "astype": [((2, 3),), lambda xp, x: [xp.astype(x, getattr(xp, name)) for name in DTYPES]],
    "broadcast_arrays": [((2, 1), (3,)), lambda xp, x, y: xp.broadcast_arrays(x, y)],
    "broadcast_to": [((2, 3),), lambda xp, x: xp.broadcast_to(x, (4, 2, 3))],
    "clip": [((2, 3),), lambda xp, x: [xp.clip(x, 1, 3), xp.clip(x, min=2), xp.clip(x, max=xp.asarray(2, dtype=x.dtype))]],
    "concat": [((2, 3), (2, 3)), lambda xp, x, y: [xp.concat([x, y]), xp.concat((x, y), axis=-1), xp.concat([x, y], axis=None)]],
    "diff": [((2, 3),), lambda xp, x: [xp.diff(x), xp.diff(x, axis=0), xp.diff(x, prepend=x[:, :1])]],
    "expand_dims": [((2, 3),), lambda xp, x: [xp.expand_dims(x, axis=0), xp.expand_dims(x, axis=-1)]],
    "flip": [((2, 3),), lambda xp, x: [xp.flip(x), xp.flip(x, axis=0), xp.flip(x, axis=(0, 1))]],
    "full_like": [((2, 3),), lambda xp, x: [xp.full_like(x, 1), xp.ones_like(x), xp.zeros_like(x, dtype=xp.float64)]],
    "item": [((),), lambda xp, x: [bool(x != x), bool(x), complex(x)]],
    "linalg.cross": [((2, 3), (2, 3)), lambda xp, x, y: xp.linalg.cross(x, y)],
    "linalg.outer": [((2,), (3,)), lambda xp, x, y: xp.linalg.outer(x, y)],
    "linalg.pinv": [((4, 3),), lambda xp, x: [xp.linalg.pinv(x, rtol=1e-3), xp.linalg.matrix_rank(x, rtol=1e-3)]],
    "linalg.trace": [((3, 3),), lambda xp, x: [xp.linalg.trace(x, offset=1), xp.linalg.trace(x, dtype=xp.float64), xp.linalg.diagonal(x, offset=-1)]],
    "linalg.vector_norm": [((2, 3),), lambda xp, x: [xp.linalg.vector_norm(x, ord=o, axis=0) for o in (1, 2, 0, np.inf, -np.inf, 3.5, -1)]],
    "matmul": [((2, 3), (3, 4)), lambda xp, x, y: [xp.matmul(x, y), x @ y]],
    "matrix_transpose": [((2, 3),), lambda xp, x: [xp.matrix_transpose(x), x.mT, x.T]],
    "meshgrid": [((2,), (3,)), lambda xp, x, y: [*xp.meshgrid(x, y), *xp.meshgrid(x, y, indexing="ij")]],
    "moveaxis": [((2, 3, 4),), lambda xp, x: [xp.moveaxis(x, 0, -1), xp.permute_dims(x, (2, 0, 1))]],
    "nonzero": [((2, 3),), lambda xp, x: xp.nonzero(x)],
    "repeat": [((2, 3),), lambda xp, x: [xp.repeat(x, 2), xp.repeat(x, 2, axis=1), xp.repeat(x, xp.asarray([1, 2]), axis=0)]],
    "reshape": [((2, 3),), lambda xp, x: [xp.reshape(x, (3, 2)), xp.reshape(x, (-1,)), xp.reshape(x, (6,), copy=True)]],
    "roll": [((2, 3),), lambda xp, x: [xp.roll(x, 1), xp.roll(x, 1, axis=0), xp.roll(x, (1, 2), axis=(0, 1))]],
    "searchsorted": [((5,),), lambda xp, x: [xp.searchsorted(xp.sort(x), x, side="right"), xp.searchsorted(x, x, sorter=xp.argsort(x))]],
    "sort": [((2, 3),), lambda xp, x: [xp.sort(x), xp.sort(x, axis=0, descending=True), xp.argsort(x), xp.argsort(x, axis=0, descending=True)]],
    "squeeze": [((2, 1, 3),), lambda xp, x: xp.squeeze(x, axis=1)],
    "stack": [((2, 3), (2, 3)), lambda xp, x, y: [xp.stack([x, y]), xp.stack((x, y), axis=-1), xp.tile(x, (2, 1)), *xp.unstack(x, axis=1)]],
    "take": [((2, 3),), lambda xp, x: [xp.take(x, xp.asarray([1, 0]), axis=0), xp.take_along_axis(x, xp.asarray([[1, 0, 0]]), axis=0)]],
    "tensordot": [((3, 3), (3, 3)), lambda xp, x, y: [xp.tensordot(x, y, axes=1), xp.tensordot(x, y, axes=((0,), (1,))), xp.vecdot(x, y)]],
    "to_device": [((2, 3),), lambda xp, x: x.to_device(x.device)],
    "tril": [((3, 3),), lambda xp, x: [xp.tril(x), xp.triu(x, k=1)]],
    "unique_all": [((6,),), lambda xp, x: [*xp.unique_all(x), xp.unique_all(x).values, *xp.unique_counts(x), xp.unique_values(x)]],
    "where": [((2, 3), (3,)), lambda xp, x, y: [xp.where(x > y, x, y), xp.where(x == x, x, 0)]],
    "x[...]": [((2, 3),), lambda xp, x: [x[0, ...], x[:, ::-1], x[..., 0], x[None, 1, :], x[0, 1], x[xp.asarray([1, 0]), 0], x[x == x]]],
    "zeros": [((1,),), lambda xp, x: [xp.zeros((2, 3), dtype=x.dtype), xp.eye(3, 4, k=1, dtype=x.dtype), xp.asarray([1, 0], dtype=x.dtype)]],
    **{f"linalg.{name}": [((3, 3),), lambda xp, x, name=name: getattr(xp.linalg, name)(positive_definite(xp, x))]
       for name in ["cholesky", "det", "eigvalsh", "inv", "matrix_norm", "slogdet", "svdvals"]},
    "linalg.solve": [((3, 3), (3, 2)), lambda xp, x, y: [xp.linalg.solve(positive_definite(xp, x), y), xp.linalg.matrix_power(x, 2)]],
    "linalg.eigh": [((3, 3),), lambda xp, x: [xp.linalg.eigh(positive_definite(xp, x)).eigenvalues, xp.linalg.svd(x).S, xp.abs(xp.linalg.qr(x).R)]],
    **{f"fft.{name}": [((4, 6),), lambda xp, x, name=name: [getattr(xp.fft, name)(x, norm=n) for n in ("backward", "ortho")]] for name in TRANSFORMS},
}  # fmt: skip


def positive_definite(xp, x):
    """A hermitian matrix, all of whose eigenvalues are positive."""
    conjugate = xp.conj(x) if xp.isdtype(x.dtype, "complex floating") else x
    return x @ conjugate.mT + xp.astype(4 * xp.eye(3), x.dtype)


@pytest.fixture(autouse=True)
def as_arrays():
    """Tensors behave as arrays while a test runs."""
    wnp.enable_dispatch()
    reference.set_array_api_strict_flags(api_version=wnp.__array_api_version__)
    yield
    wnp.disable_dispatch()


def drawn(rng, dtype, shape):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        return rng.integers(1 if dtype.startswith("u") else -4, 6, shape).astype(dtype)
    values = 2 * rng.normal(size=shape)
    return (values + 1j * rng.normal(size=shape) if dtype in COMPLEX else values).astype(dtype)


def flat(result):
    return [each for part in result for each in flat(part)] if isinstance(result, list | tuple) else [result]


def compare(function, *arrays):
    """Compare the results; whether the reference gave one."""
    try:
        expected = flat(function(reference, *[reference.asarray(array.copy()) for array in arrays]))
    except (TypeError, ValueError, NotImplementedError, OverflowError, np.linalg.LinAlgError):
        return False
    found = flat(function(wnp, *[tf.constant(array) for array in arrays]))
    assert len(found) == len(expected)
    for mine, other in zip(found, expected):
        if not hasattr(other, "__array_namespace__"):
            assert mine == other
            continue
        assert mine.__array_namespace__() is wnp
        a, b = np.asarray(mine), np.asarray(other._array)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(
            a, b, rtol=1e-4 if b.dtype.itemsize <= 8 and b.dtype.kind in "fc" else 1e-9, atol=1e-5
        )
        if b.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(a[b == 0]), np.signbit(b[b == 0]))
    return True


def functions_of(namespace, prefix=""):
    for name in namespace.__all__:
        function = getattr(namespace, name)
        if inspect.isfunction(function) and "strict_flags" not in name:
            yield prefix + name, function


STANDARD = {
    **dict(functions_of(reference)),
    **dict(functions_of(reference.linalg, "linalg.")),
    **dict(functions_of(reference.fft, "fft.")),
}


@pytest.mark.parametrize("name", STANDARD)
def test_every_function_has_the_parameters_of_the_standard(name):
    ours = operator.attrgetter(name)(wnp)
    parameters = inspect.signature(ours).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return
    asked = inspect.signature(STANDARD[name]).parameters.values()
    assert {each.name for each in asked if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)} <= set(
        parameters
    )


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_array(name):
    rng = np.random.default_rng(0)
    compared = [compare(lambda xp, x: getattr(xp, name)(x), drawn(rng, dtype, (2, 3))) for dtype in DTYPES]
    compared += [compare(lambda xp, x: getattr(xp, name)(x), np.array(SPECIAL, dtype)) for dtype in REAL]
    assert any(compared)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays(name):
    rng = np.random.default_rng(0)
    function = lambda xp, x, y: getattr(xp, name)(x, y)
    pairs = itertools.product(DTYPES, DTYPES)
    compared = [compare(function, drawn(rng, one, (2, 3)), drawn(rng, other, (3,))) for one, other in pairs]
    for dtype in REAL:
        special = np.array(SPECIAL, dtype)
        compared.append(compare(function, special[:, None], special))
    for dtype, number in itertools.product(DTYPES, (2, 1.5, True, 1j)):
        compared.append(compare(lambda xp, x: getattr(xp, name)(x, number), drawn(rng, dtype, (2, 3))))  # noqa: B023
    assert any(compared)


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    rng = np.random.default_rng(0)
    compute = getattr(operator, name)
    shape = (3, 2) if name == "matmul" else (3,)
    compared = []
    for one, other in itertools.product(DTYPES, DTYPES):
        right = drawn(rng, other, shape)
        right = (
            right if other in ("bool", *COMPLEX) else np.abs(right)
        )  # a shift and an integer's power are by at least 0
        compared.append(compare(lambda xp, x, y: compute(x, y), drawn(rng, one, (2, 3)), right))
    for dtype, number in itertools.product(DTYPES if name != "matmul" else (), (2, 1.5, True, 1j)):
        array = np.abs(drawn(rng, dtype, (2, 3))).astype(dtype)
        compared.append(compare(lambda xp, x: [compute(x, number)], array))  # noqa: B023
        compared.append(compare(lambda xp, x: [compute(number, x)], array))  # noqa: B023
    assert any(compared)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    rng = np.random.default_rng(0)
    options = [{}, {"axis": 0}, {"axis": (0, 1)}, {"axis": -1, "keepdims": True}, {"axis": 0, "include_initial": True}]
    options += [{"axis": 0, "dtype": dtype} for dtype in ("float32", "int64", "complex128")] + [{"correction": 1}]
    compared = []
    for dtype, option in itertools.product(DTYPES, options):

        def function(xp, x, option=option):
            given = {key: getattr(xp, value) if key == "dtype" else value for key, value in option.items()}
            return getattr(xp, name)(x, **given)

        compared.append(compare(function, drawn(rng, dtype, (2, 3))))
    assert any(compared)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    rng = np.random.default_rng(0)
    shapes, function = CALLS[name]
    compared = [compare(function, *[drawn(rng, dtype, shape) for shape in shapes]) for dtype in DTYPES]
    assert any(compared)


def test_defaults_of_what_is_created():
    assert compare(
        lambda xp: [xp.zeros(3), xp.ones(()), xp.full(2, 1), xp.full(2, 1.0), xp.full(2, True), xp.full(2, 1j)]
    )
    assert compare(lambda xp: [xp.arange(3), xp.arange(3.0), xp.linspace(0, 1, 3), xp.eye(2), xp.asarray([1.5, 2])])
    assert compare(lambda xp: [xp.fft.fftfreq(5), xp.fft.rfftfreq(6, d=0.5), xp.fft.fftfreq(4, dtype=xp.float32)])


@pytest.mark.parametrize("one", DTYPES)
def test_promotion(one):
    rng = np.random.default_rng(0)
    for other in DTYPES:
        arrays = drawn(rng, one, (2,)), drawn(rng, other, (2,))
        compare(lambda xp, x, y: [xp.astype(xp.zeros(1), xp.result_type(x, y))], *arrays)
    kinds = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
    assert compare(lambda xp, x: [xp.isdtype(x.dtype, kind) for kind in kinds], drawn(rng, one, (2,)))


def test_another_version_of_the_standard_and_another_device_are_refused():
    x = tf.constant([1.0])
    with pytest.raises(ValueError, match="api_version must be one of"):
        x.__array_namespace__(api_version="1999.12")
    with pytest.raises(ValueError, match="to_device takes 'cpu'"):
        x.to_device("elsewhere")
