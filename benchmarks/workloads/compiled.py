"""Whole compiled steps: `function` of a tape and an update, and the same step written by hand in JAX and jitted.

Each step takes its data as arguments, updates its parameters, waits for the loss and reads it.
"""

import numpy as np

from workloads.networks import FILTERS, IMAGES, LABELS, PROJECTIONS, RATE, TOKENS, X, _layers, normal

SMALL = normal(8, 8, scale=0.1)
LARGE = normal(1_000_000)


# The losses, written for a tape library and for JAX.


def _chain(np_like, x, w):
    y = x
    for _ in range(50):
        y = np_like.sin(y)
        y = y * w
        y = y + x
    return y


def _of_tape(tf, compile, loss_of, parameters, data):
    """A training step: the loss of parameters and data, compiled together with its gradients and the update."""
    variables = [tf.Variable(each) for each in parameters]
    arguments = [tf.constant(each) for each in data]

    @compile
    def step(*data):
        with tf.GradientTape() as tape:
            loss = loss_of(tf, variables, *data)
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(RATE * gradient)
        return loss

    return lambda: float(step(*arguments))


def _of_jax(jax, loss_of, parameters, data):
    """The same step in JAX."""
    jnp = jax.numpy

    @jax.jit
    def step(values, *data):
        loss, gradients = jax.value_and_grad(lambda values: loss_of(jax, values, *data))(values)
        return [value - RATE * gradient for value, gradient in zip(values, gradients)], loss

    state = [jnp.asarray(each) for each in parameters]
    arguments = [jnp.asarray(each) for each in data]

    def run():
        nonlocal state
        state, loss = step(state, *arguments)
        return float(loss)

    return run


# The squares keep the parameters small: the sine of ever larger numbers would take longer with every step.


def _tape_chain(tf, variables, x):
    return tf.reduce_mean(tf.square(_chain(tf, x, variables[0])))


def _jax_chain(jax, values, x):
    return jax.numpy.mean(jax.numpy.square(_chain(jax.numpy, x, values[0])))


def _tape_mlp(tf, variables, x, labels):
    w1, b1, w2, b2 = variables
    logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def _jax_mlp(jax, values, x, labels):
    w1, b1, w2, b2 = values
    logits = jax.nn.relu(x @ w1 + b1) @ w2 + b2
    chosen = jax.numpy.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)
    return -jax.numpy.mean(chosen)


def _tape_cnn(tf, variables, images):
    y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(images, variables[0], 1, "SAME")), 2, 2, "VALID")
    return tf.reduce_mean(tf.square(y))


def _jax_cnn(jax, values, images):
    lax = jax.lax
    y = lax.conv_general_dilated(images, values[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = lax.reduce_window(jax.nn.relu(y), -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.numpy.mean(jax.numpy.square(y))


def _tape_attention(tf, weights, x):
    q, k, v = (tf.transpose(tf.reshape(x @ w, (4, 64, 4, 16)), (0, 2, 1, 3)) for w in weights[:3])
    scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 16**0.5)
    mixed = tf.reshape(tf.transpose(scores @ v, (0, 2, 1, 3)), (4, 64, 64))
    return tf.reduce_mean(tf.square(mixed @ weights[3]))


def _jax_attention(jax, weights, x):
    q, k, v = ((x @ w).reshape(4, 64, 4, 16).transpose(0, 2, 1, 3) for w in weights[:3])
    scores = jax.nn.softmax(q @ k.swapaxes(-1, -2) / 16**0.5)
    mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(4, 64, 64)
    return jax.numpy.mean(jax.numpy.square(mixed @ weights[3]))


def _tape_line(tf, variables, x):
    (w,) = variables
    return tf.reduce_mean(tf.tanh(tf.exp(tf.sin(x) * w) + x))


def _jax_line(jax, values, x):
    jnp = jax.numpy
    (w,) = values
    return jnp.mean(jnp.tanh(jnp.exp(jnp.sin(x) * w) + x))


LABELS_32 = LABELS.astype(np.int32)
_STEPS = {
    "compiled_chain": (_tape_chain, _jax_chain, [SMALL], [SMALL]),
    "compiled_mlp": (_tape_mlp, _jax_mlp, _layers(), [X, LABELS_32]),
    "compiled_cnn": (_tape_cnn, _jax_cnn, [FILTERS], [IMAGES]),
    "compiled_attention": (_tape_attention, _jax_attention, PROJECTIONS, [TOKENS]),
    "compiled_line": (_tape_line, _jax_line, [LARGE], [LARGE]),
}


def _declare(name, of_tape, of_jax, parameters, data):
    globals()[f"{name}_function"] = lambda tf: _of_tape(tf, tf.function, of_tape, parameters, data)
    globals()[f"{name}_jit"] = lambda tf: _of_tape(tf, tf.function(jit_compile=True), of_tape, parameters, data)
    globals()[f"{name}_jax"] = lambda jax: _of_jax(jax, of_jax, parameters, data)


for _name, _parts in _STEPS.items():
    _declare(_name, *_parts)
