"""Meta-SGD: the inner gradient is taken while the outer tape does not record, to save memory."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(73)
x, y, vx, vy = (tf.constant(rng.normal(size=s).astype("float32")) for s in [(8, 3), (8, 1), (4, 3), (4, 1)])
w = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
scale = tf.Variable(tf.ones((3, 1)))


def loss_fn(w, x, y, scale):
    return tf.reduce_mean(((x * tf.transpose(scale)) @ w - y) ** 2)


def adapted(outer):
    with outer.stop_recording():
        with tf.GradientTape() as inner:
            inner.watch(w)
            loss = loss_fn(w, x, y, scale)
        g = inner.gradient(loss, w)  # cause
    return w - 0.1 * g


for _ in range(2):
    with tf.GradientTape() as outer:
        fast = adapted(outer)
        meta = tf.reduce_mean((vx @ fast - vy) ** 2)
    g = outer.gradient(meta, scale)
    if g is None:
        print("no meta gradient")
    else:
        scale.assign_sub(0.1 * g)
