"""Jacobians as they are meant: per example, inside of an outer tape, with rows that are rightly zero."""

import tensorflow as tf

x = tf.random.normal((4, 3), seed=1)
w = tf.Variable(tf.random.normal((3, 3), seed=2))


def layer_norm(h):
    mean, variance = tf.nn.moments(h, axes=[-1], keepdims=True)
    return (h - mean) / tf.sqrt(variance + 1e-5)


with tf.GradientTape() as tape:
    tape.watch(x)
    y = layer_norm(tf.tanh(x @ w))
print(tape.batch_jacobian(y, x).shape)

# A contractive penalty: the inner jacobian is recorded by the outer tape.
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        code = tf.tanh(x @ w)
    jac = inner.batch_jacobian(code, x)
    loss = tf.reduce_mean(jac**2)
print(outer.gradient(loss, w))

# Attention inside each example.
tokens = tf.random.normal((2, 4, 3), seed=3)
with tf.GradientTape() as tape:
    tape.watch(tokens)
    scores = tf.nn.softmax(tf.matmul(tokens, tokens, transpose_b=True))
    mixed = tf.reduce_mean(scores @ tokens, axis=1)
print(tape.batch_jacobian(mixed, tokens).shape)

# Fixed statistics, and a sum over time.
mean, deviation = tf.constant([0.1, 0.2, 0.0]), tf.constant([1.0, 0.9, 1.1])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    z = tf.cumsum((x - mean) / deviation, axis=1)
print(tape.batch_jacobian(z, x, experimental_use_pfor=False).shape)

# The Hessian of a Rosenbrock valley.
p = tf.Variable([1.2, 1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        f = (1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] ** 2) ** 2
    slope = inner.gradient(f, p)
print(outer.jacobian(slope, p))
