"""Differentiate a small program: one step of a two-layer regression, with the shape of every gradient and its variable."""

import numpy as np

import whygrad as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(16, 3)).astype("float32")
y = (x @ [[1.0], [-2.0], [0.5]]).astype("float32")

weights = {
    "hidden": tf.Variable(rng.normal(scale=0.5, size=(3, 8)).astype("float32")),
    "bias": tf.Variable(tf.zeros(8)),
    "output": tf.Variable(rng.normal(scale=0.5, size=(8, 1)).astype("float32")),
}

with tf.GradientTape() as tape:
    prediction = tf.tanh(x @ weights["hidden"] + weights["bias"]) @ weights["output"]
    loss = tf.reduce_mean((prediction - y) ** 2)

gradients = tape.gradient(loss, weights)

print(f"loss {loss.numpy():.4f}")
for name, gradient in gradients.items():
    print(
        f"{name:8} shape {weights[name].shape!s:8} gradient {gradient.shape!s:8} norm {tf.norm(gradient).numpy():.4f}"
    )

for name, gradient in gradients.items():
    weights[name].assign_sub(0.1 * gradient)
prediction = tf.tanh(x @ weights["hidden"] + weights["bias"]) @ weights["output"]
print(f"loss after one step {tf.reduce_mean((prediction - y) ** 2).numpy():.4f}")
