import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
online = [tf.Variable(rng.normal(size=(3, 2)).astype("float32")), tf.Variable(tf.zeros([2]))]
target = [tf.Variable(v, trainable=False) for v in online]


def q(x, net):
    return x @ net[0] + net[1]


s = rng.normal(size=(8, 3)).astype("float32")
s2 = rng.normal(size=(8, 3)).astype("float32")
r = rng.normal(size=8).astype("float32")
a = tf.constant(rng.integers(0, 2, size=8))
for step in range(3):
    with tf.GradientTape() as tape:
        bootstrapped = r + 0.9 * tf.reduce_max(tf.stop_gradient(q(s2, target)), axis=1)
        chosen = tf.gather(q(s, online), a, batch_dims=1)
        loss = tf.reduce_mean((bootstrapped - chosen) ** 2)
    for v, g in zip(online, tape.gradient(loss, online)):
        v.assign_sub(0.05 * g)
    for t, v in zip(target, online):
        t.assign(0.99 * t + 0.01 * v)
print(float(loss))
