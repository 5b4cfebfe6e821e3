import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
x = tf.constant(rng.normal(size=(5, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(5, 1)).astype("float32"))

def model(x):
    return tf.nn.softplus(x @ w)

def input_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = model(x)
    return tape.gradient(out, x)

smoothness = tf.reduce_mean(input_gradient(x) ** 2)  # cause
with tf.GradientTape() as tape:
    mse = tf.reduce_mean((model(x) - y) ** 2)
    loss = mse + 0.1 * smoothness
print(tape.gradient(loss, w))
