import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


def dense(n, m):
    return tf.Variable(rng.normal(0, 0.3, size=(n, m)).astype("float32"))


generator = [dense(2, 4), dense(4, 3)]
discriminator = [dense(3, 4), dense(4, 1)]


def run(x, layers):
    for w in layers:
        x = tf.tanh(x @ w)
    return x


real = rng.normal(size=(5, 3)).astype("float32")
with tf.GradientTape() as tape:
    d_loss = tf.reduce_mean((run(real, discriminator) - 1.0) ** 2)
grads = tape.gradient(d_loss, generator)  # cause
print(grads)
