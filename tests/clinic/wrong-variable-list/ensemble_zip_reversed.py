import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
layers = [tf.Variable(rng.normal(size=(4, 4)).astype("float32") * 0.4) for _ in range(3)]
x = tf.constant(rng.normal(size=(6, 4)).astype("float32"))


def forward(x):
    for w in layers:
        x = tf.tanh(x @ w)
    return x


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(x) - 0.2) ** 2)
    grads = tape.gradient(loss, layers)
    for w, g in zip(layers, reversed(grads)):  # cause
        w.assign_sub(0.1 * g)  # cause
print("RESULT:", loss.numpy())
