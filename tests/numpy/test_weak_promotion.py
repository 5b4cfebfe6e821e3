"""The promotion modes "safe" and "all", and `prefer_float32`. Each program has a process of its own: functions get second implementations."""

import subprocess
import sys
import textwrap

_BEGIN = """
import numpy as np, pytest, whygrad as tf, whygrad.numpy as tnp
tnp.experimental_enable_numpy_behavior({arguments})
"""


def _runs(arguments, program):
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN.format(arguments=arguments) + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_numbers_are_weak():
    _runs(
        'dtype_conversion_mode="all"',
        """
        i = tf.constant(3)
        assert str(i) == "tf.Tensor(3, shape=(), dtype=int32, weak=True)" and f"{i}" == "3 weakly typed"
        assert (i * tf.ones(2, tf.float16)).dtype == tf.float16
        assert "weak" in repr(i + 1.5) and (i + 1.5).dtype == tf.float32
        assert "weak" not in repr(tf.ones(2, tf.int8) + tf.ones(2, tf.int16))
        assert (tf.ones(2, tf.int32) + tf.ones(2, tf.bfloat16)).dtype == tf.bfloat16
        assert (tf.ones(2, tf.uint64) + tf.ones(2, tf.int8)).dtype == tf.float64
        assert "weak" in repr(tf.reduce_sum([1, 2])) and "weak" not in repr(tf.stack([i, i]))
        tf.print(i)
        """,
    )


def test_safe_refuses_what_widens_a_dtype():
    _runs(
        'dtype_conversion_mode="safe"',
        """
        with pytest.raises(TypeError, match="In promotion mode PromoMode.SAFE, implicit dtype promotion between .<dtype: 'int32'>, weak=False."):
            tf.ones(2, tf.int32) + tf.ones(2)
        assert (tf.ones(2, tf.int32) + tf.ones(2, tf.float64)).dtype == tf.float64
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        assert (tf.ones(2, tf.int32) + tf.ones(2)).dtype == tf.float32
        """,
    )


def test_gradients_and_functions_of_weak_tensors():
    _runs(
        'dtype_conversion_mode="all"',
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * tf.constant(3.0, tf.float16)
        gradient = tape.gradient(y, x)
        assert "weak" in repr(gradient) and float(gradient) == 12.0
        traced = []

        @tf.function
        def f(x, y):
            traced.append(None)
            return x + y, x + 1

        for _ in range(2):
            total, weak = f(tf.constant(1), tf.ones(2, tf.int8))
        assert total.dtype == tf.int8 and "weak" in repr(weak) and len(traced) == 1
        variable = tf.Variable(1, dtype=tf.int8)
        variable.assign_add(tf.constant(2))
        with pytest.raises(TypeError, match="Variable dtype is immutable"):
            variable.assign(2.5)
        """,
    )


def test_switching_back_leaves_the_other_modes_as_they_were():
    _runs(
        'dtype_conversion_mode="all"',
        """
        tnp.experimental_enable_numpy_behavior()
        assert "weak" not in repr(tf.constant(1)) and (tf.constant([1, 2]) + 0.5).dtype == tf.float64
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="off")
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.ones(2, tf.int32) + tf.ones(2)
        assert tf.reduce_sum([1, 2]).dtype == tf.int32 and type(tf.math.sqrt(2.0)) is tf.Tensor
        """,
    )


def test_prefer_float32():
    _runs(
        "prefer_float32=True",
        """
        assert tnp.sin(1.5).dtype == tf.float32 and tnp.array([1.5]).dtype == tf.float32
        assert (tf.constant([1], tf.int8) + 0.5).dtype == tf.float32
        assert (tf.constant([1], tf.int32) + 0.5).dtype == tf.float64  # as NumPy promotes int32 and float32
        assert (tf.ones(2, tf.float16) * 2.0).dtype == tf.float32
        tnp.experimental_enable_numpy_behavior()
        assert tnp.sin(1.5).dtype == tf.float64
        """,
    )


def test_programs_that_use_none_of_these_modes_load_none():
    done = _runs(
        "", "import sys; print([each for each in sys.modules if 'weak_promotion' in each or 'narrow_floats' in each])"
    )
    assert done.strip() == "[]"
