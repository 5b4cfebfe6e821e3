import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
w = tf.Variable(rng.normal(0, 0.01, (6, 1)).astype("float32"))
x = (rng.normal(size=(32, 6)) * 1e-3).astype("float16")
y = (rng.normal(size=(32, 1)) * 1e-3).astype("float16")


def predict(x):
    return tf.matmul(x, tf.cast(w, tf.float16))  # cause


def loss_of(x, y):
    error = predict(x) - y  # cause
    return tf.reduce_mean(error ** 2) * tf.constant(1e-2, tf.float16)  # cause


with tf.GradientTape() as tape:
    loss = loss_of(x, y)
print("RESULT:", tape.gradient(loss, w).numpy().ravel())
