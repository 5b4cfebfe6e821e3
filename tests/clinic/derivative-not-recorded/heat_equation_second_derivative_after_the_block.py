"""A PINN: u_x is computed when both tapes have ended, so that u_xx is None."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
net = [tf.Variable(rng.normal(0, 0.7, s).astype("float32")) for s in [(2, 12), (12,), (12, 1)]]


def u(x, t):
    h = tf.tanh(tf.concat([x, t], 1) @ net[0] + net[1])
    return h @ net[2]


def residual(x, t, alpha=0.1):
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([x, t])
            value = u(x, t)
    u_x = first.gradient(value, x)  # cause
    u_t = first.gradient(value, t)
    u_xx = second.gradient(u_x, x)
    if u_xx is None:
        u_xx = tf.zeros_like(x)
    return u_t - alpha * u_xx


x = tf.constant(rng.uniform(0, 1, (20, 1)).astype("float32"))
t = tf.constant(rng.uniform(0, 1, (20, 1)).astype("float32"))
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(x, t) ** 2)
        loss += tf.reduce_mean((u(x, tf.zeros_like(t)) - tf.sin(np.pi * x)) ** 2)
    for v, g in zip(net, tape.gradient(loss, net)):
        v.assign_sub(0.01 * g)
    print(loss.numpy())
