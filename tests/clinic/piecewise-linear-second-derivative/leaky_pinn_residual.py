import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
w1 = tf.Variable(rng.normal(size=(1, 6)).astype("float32"))
w2 = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))


def field(x):
    return tf.nn.leaky_relu(x @ w1, 0.1) @ w2  # cause


def laplacian(f, x):
    with tf.GradientTape() as t2:
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            u = f(x)
        first = t1.gradient(u, x)
    return t2.gradient(first, x, unconnected_gradients="zero")


x = tf.constant(np.linspace(-1, 1, 7, dtype="float32")[:, None])
print("RESULT:", laplacian(field, x).numpy().ravel())
