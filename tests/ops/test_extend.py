"""Ops that are declared outside of whygrad are recorded, differentiated and explained like its own."""

import pickle
import sys
import types
import warnings

import numpy as np
import pytest

import whygrad as tf
from whygrad import extend
from whygrad.engines.numpy import engine

cubed_log = extend.unary(
    "cubed_log",
    lambda xp, x: xp.log(x) ** 3,
    vjp=lambda xp, g, x: g * (3 * xp.log(x) ** 2 / x),
    traits=extend.Traits(domain=(extend.Logarithm(),)),
    doc="log(x) cubed.",
)
_powered = extend.Primitive(
    "powered",
    lambda xp, x, *, exponent: x**exponent,
    vjp=lambda xp, g, x, exponent: g * (exponent * x ** (exponent - 1)),
)
weighted = extend.binary(
    "weighted",
    lambda xp, a, b: a * b * b,
    vjp=(lambda xp, g, b: g * b * b, lambda xp, g, a, b: g * (2 * a * b)),
    doc="x y^2.",
)


@extend.numpy_kernel
def softened(x):
    return np.sqrt(x * x + 1)


_softened = extend.unary("softened", "softened", vjp=lambda xp, g, x: g * (x / xp.softened(x)), doc="sqrt(x^2 + 1).")


def powered(x, exponent=2):
    return extend.apply(_powered, tf.convert_to_tensor(x), exponent=exponent)


@pytest.mark.parametrize("op", [cubed_log, powered, lambda x: powered(x, 3), _softened, lambda x: weighted(x, x + 1.0)])
def test_rules_agree_with_finite_differences(op):
    extend.check_gradients(op, [np.array([0.5, 1.5, 3.0])], order=2)


def test_a_wrong_rule_is_refused():
    wrong = extend.unary("wrong_double", lambda xp, x: 2 * x, vjp=lambda xp, g: g * 3, doc="2 x.")
    with pytest.raises(tf.testing.GradientMismatch):
        extend.check_gradients(wrong, [np.array([1.0])])


def test_broadcasting_is_undone():
    x, y = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = weighted(x, y)
    gx, gy = tape.gradient(z, [x, y])
    assert gx.numpy().tolist() == [9.0, 9.0]
    assert gy.numpy() == 18.0


def test_jacobians_go_through_it():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = powered(x, 3)
    assert tape.jacobian(y, x).numpy().tolist() == [[3.0, 0.0], [0.0, 12.0]]


def test_an_infinite_value_is_explained_by_its_traits():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(cubed_log(x))
    g = tape.gradient(y, x)
    assert not np.isfinite(g.numpy()).all()
    assert [cause.kind for cause in tape.why(y, x).causes] == ["log-of-zero"]


def test_none_is_explained_by_its_sentence():
    stepped = extend.unary("stepped", "floor", no_gradient="stairs are flat", doc="floor(x).")
    x = tf.Variable([0.5])
    with tf.GradientTape() as tape:
        y = stepped(x)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert tape.gradient(y, x) is None
    (cause,) = caught[0].message.causes
    assert cause.kind == "non-differentiable-op"
    assert "stairs are flat" in f"{cause.sentence} {cause.sites}"


def test_an_op_may_be_declared_again_but_not_one_of_whygrads():
    for factor in (2.0, 3.0):
        again = extend.unary(
            "declared_again", lambda xp, x, factor=factor: x * factor, vjp=lambda xp, g: g, doc="", inputs=("x",)
        )
    assert again(1.0).numpy() == 3.0
    with pytest.raises(
        ValueError, match=r"primitive 'sin' is declared twice: elementwise\.py:\d+ and test_extend\.py:\d+"
    ):
        extend.unary("sin", "sin", vjp=lambda xp, g: g, doc="")


def test_a_kernel_does_not_replace_one_of_the_engines():
    def erf(x):
        return x

    before = engine.erf
    with pytest.raises(ValueError, match="the NumPy engine has a function 'erf' already"):
        extend.numpy_kernel(erf)
    assert engine.erf == before


def test_a_dtype_that_is_not_allowed_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32 is not in the list of allowed values"):
        cubed_log(tf.constant([1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32 is not in the list of allowed values"):
        extend.check_dtype(tf.constant([1]), "float", "Powered")


def test_the_function_is_one_of_its_module():
    assert pickle.loads(pickle.dumps(cubed_log)) is cubed_log
    assert (cubed_log.__name__, cubed_log.__module__, cubed_log.__doc__) == ("cubed_log", __name__, "log(x) cubed.")


LIBRARY = """
import whygrad as tf
from whygrad import extend
_cut = extend.Primitive("library_cut", lambda xp, x: xp.floor(x), no_gradient="flat")
def cut(x):
    return extend.apply(_cut, tf.convert_to_tensor(x))
extend.register_library(__file__)
"""


def test_explanations_point_to_the_caller_of_a_library(tmp_path):
    library = types.ModuleType("library")
    library.__file__ = str(tmp_path / "library.py")
    exec(compile(LIBRARY, library.__file__, "exec"), vars(library))
    x = tf.Variable([0.5])
    with tf.GradientTape() as tape:
        y = library.cut(x)
    (record,) = [record for record in tape.records if record.plan.primitive.name == "library_cut"]
    assert record.code is sys._getframe().f_code
    assert tape.gradient(y, x) is None
