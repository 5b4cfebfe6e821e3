"""A learner's momentum loop replaces the variables in a dict by tensors."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = tf.constant(rng.normal(size=(60, 2)).astype("float32"))
y = tf.constant((x.numpy() @ np.array([[2.0], [-1.0]]) + 0.5).astype("float32"))

params = {"w": tf.Variable(tf.zeros([2, 1])), "b": tf.Variable(tf.zeros([1]))}
velocity = {name: tf.zeros_like(value) for name, value in params.items()}


def forward(p, inputs):
    return tf.matmul(inputs, p["w"]) + p["b"]


def mse(p):
    return tf.reduce_mean(tf.square(forward(p, x) - y))


for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = mse(params)
    grads = tape.gradient(loss, params)
    print(epoch, loss.numpy(), {k: None if g is None else g.numpy().ravel() for k, g in grads.items()})
    for name in params:
        if grads[name] is None:
            continue
        velocity[name] = 0.9 * velocity[name] - 0.05 * grads[name]
        params[name] = params[name] + velocity[name]  # cause
