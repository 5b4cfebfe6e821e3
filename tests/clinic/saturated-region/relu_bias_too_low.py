import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
layers = [
    {"w": tf.Variable(rng.normal(size=(4, 6)).astype("float32") * 0.1), "b": tf.Variable(np.full(6, -4.0, "float32"))},
    {"w": tf.Variable(rng.normal(size=(6, 1)).astype("float32")), "b": tf.Variable(np.zeros(1, "float32"))},
]


def forward(x):
    h = tf.nn.relu(x @ layers[0]["w"] + layers[0]["b"])  # cause
    return h @ layers[1]["w"] + layers[1]["b"]


x = rng.normal(size=(10, 4)).astype("float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((forward(x) - 1.0) ** 2)
g = tape.gradient(loss, layers[0])
print("RESULT:", {k: v.numpy().tolist() for k, v in g.items()})
