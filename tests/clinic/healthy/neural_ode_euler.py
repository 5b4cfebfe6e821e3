import numpy as np
import tensorflow as tf

rng = np.random.default_rng(44)
w = tf.Variable(rng.normal(0, 0.2, (2, 2)).astype("float32"))
x0 = tf.constant([[1.0, 0.0]])
t = np.linspace(0, 1.5, 16)
truth = np.stack([np.cos(t), -np.sin(t)], axis=1).astype("float32")


def integrate(x0):
    x, path = x0, [x0]
    for dt in np.diff(t):
        k1 = tf.tanh(x @ w)
        k2 = tf.tanh((x + 0.5 * dt * k1) @ w)
        x = x + dt * k2
        path.append(x)
    return tf.concat(path, axis=0)


for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.reduce_sum((integrate(x0) - truth) ** 2, axis=1))
    w.assign_sub(0.2 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
