"""Zeros as they are meant: one factor, biases, a gate that opens, a penalty on weights that are zero."""

import tensorflow as tf

x = tf.random.normal((6, 3), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)
w1 = tf.Variable(tf.random.normal((3, 4), seed=2))
b1 = tf.Variable(tf.zeros(4))
w2 = tf.Variable(tf.zeros((4, 1)))
down, up = tf.Variable(tf.random.normal((3, 2), seed=4)), tf.Variable(tf.zeros((2, 4)))
gate = tf.Variable(0.0)
for step in range(3):
    with tf.GradientTape() as tape:
        hidden = tf.tanh(x @ (w1 + down @ up) + b1)
        loss = tf.reduce_mean((hidden @ w2 + gate * tf.reduce_sum(x**2, 1, keepdims=True) - y) ** 2)
        loss += 0.01 * tf.reduce_sum(w2**2)
    variables = [w1, b1, w2, down, up, gate]
    for variable, g in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.1 * g)

# A minimum: the product itself is fitted.
a, b = tf.Variable(0.0), tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = a * b + a**2 + b**2 + 1.0
print(tape.gradient(loss, [a, b]))

# One player at a time: the other one is trained elsewhere.
with tf.GradientTape() as tape:
    value = tf.reduce_sum((x @ w1) @ tf.zeros((4, 1))) + 1.0
print(tape.gradient(value, [w1]))
