"""Errors and gradients inside a compiled function are explained as in plain Python."""

import pytest

from tests.support.programs import facts_of, raised, warned

_SAME_AS_PYTHON = {
    "matmul": "return tf.matmul(x, x)",
    "broadcast": "y = tf.ones([5])\nreturn x + y",
    "reshape": "return tf.reshape(x, [5, 2])",
    "concat": "return tf.concat([x, tf.ones([2, 3])], 0)",
    "axis": "return tf.reduce_sum(x, axis=3)",
    "dtype": "return x + tf.cast(x, tf.float64)",
    "transpose": "return tf.transpose(x, [0, 2])",
    "stack": "return tf.stack([x, x[0]])",
    "split": "return tf.split(x, 5)",
    "einsum": "return tf.einsum('ij,jk->ik', x, x)",
    "convolution": "return tf.nn.conv2d(x, v, 1, 'SAME')",
    "assign": "v.assign(x)\nreturn x",
    "in a branch": "return tf.cond(x[0, 0] > 0, lambda: tf.matmul(x, x), lambda: x)",
    "in a loop": "return tf.map_fn(lambda row: row + tf.ones([3]), x)",
    "upstream": "with tf.GradientTape() as tape:\n    y = v * 2.0\nreturn tape.gradient(y, v, output_gradients=x)",
    "used twice": "with tf.GradientTape() as tape:\n    y = v * 2.0\ntape.gradient(y, v)\nreturn tape.gradient(y, v)",
    "custom gradient": (
        "@tf.custom_gradient\ndef square(a):\n    return a * a, lambda g: tf.reduce_sum(g)\n"
        "with tf.GradientTape() as tape:\n    y = square(v)\nreturn tape.gradient(y, v)"
    ),
    "item": "x[0] = 1.0\nreturn x",
}


@pytest.mark.parametrize("name", _SAME_AS_PYTHON)
def test_errors_are_explained_as_in_plain_python(name, tmp_path):
    found = []
    for decorator in ("@tf.function\n", "@(lambda f: f)\n"):
        body = "\n".join(f"    {line}" for line in _SAME_AS_PYTHON[name].splitlines())
        program = f"v = tf.Variable(tf.ones([4, 2]))\n{decorator}def f(x):\n{body}\nf(tf.ones([3, 4]))\n"
        (cause,) = raised(program, tmp_path)
        found.append((facts_of(cause), cause.sentence, cause.help))
    assert found[0] == found[1]


_NONE_AS_IN_PYTHON = {
    "source-unused": "y = tf.reduce_sum(v)\ng = {}, [v, k]",
    "source-not-watched": "y = x * x\ng = {}, x",
    "integer-dtype": "y = tf.cast(tf.cast(k, tf.int32), tf.float32) * 2.0\ng = {}, k",
    "non-differentiable-op": "y = tf.cast(tf.argmax(v, 0), tf.float32)\ng = {}, v",
    "stop-gradient-misplaced": "y = tf.stop_gradient(v) * 2.0\ng = {}, v",
    "variable-not-tracked": "y = v * 2.0\ng = {}, []",
    "silent-broadcast": "y = tf.reduce_mean((v[:, :1] - x[0]) ** 2)\ng = {}, v",
}


@pytest.mark.parametrize("kind", _NONE_AS_IN_PYTHON)
def test_gradients_inside_are_explained_as_in_plain_python(kind, tmp_path):
    forward, asked = _NONE_AS_IN_PYTHON[kind].split("\n")
    asked = asked.replace("{}", "tape.gradient(y") + ")"
    found = []
    for decorator in ("@tf.function", "@(lambda f: f)"):
        program = (
            "v, k = tf.Variable(tf.ones([4, 2])), tf.Variable(2.0)\n"
            f"{decorator}\ndef f(x):\n    with tf.GradientTape() as tape:\n        {forward}\n    {asked}\n    return y\n"
            "f(tf.ones([3, 4]))\n"
        )
        (cause,) = warned(program, tmp_path)
        found.append((facts_of(cause), cause.sentence, cause.help))
        assert cause.kind == kind
        assert (cause.sites[-1].line, cause.sites[-1].text) == (6, asked.removeprefix("g = "))
    assert found[0] == found[1]
