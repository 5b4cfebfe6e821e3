import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5, -1.0], [1.5, 0.3]])
v = tf.Variable([[1.0], [-0.7]])
real = tf.constant([[0.1, 0.2], [1.0, -0.4]])


def critic(x):
    return tf.matmul(tf.tanh(tf.matmul(x, w)), v)


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(real)
        score = critic(real)
    slopes = inner.gradient(score, real)
    norms = np.linalg.norm(slopes.numpy(), axis=1)  # cause
    loss = -tf.reduce_mean(score) + 10.0 * np.mean((norms - 1.0) ** 2)
print(outer.gradient(loss, [w, v]))
