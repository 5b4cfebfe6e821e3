import numpy as np
import tensorflow as tf

tf.random.set_seed(3)
rng = np.random.default_rng(3)
NU = 0.01 / np.pi
widths = [2, 10, 10, 1]
weights = [tf.Variable(tf.random.normal([a, b], stddev=(1.0 / a) ** 0.5)) for a, b in zip(widths, widths[1:])]
biases = [tf.Variable(tf.zeros([b])) for b in widths[1:]]
params = weights + biases


def u(t, x):
    h = tf.concat([t, x], axis=1)
    for w, b in zip(weights[:-1], biases[:-1]):
        h = tf.tanh(h @ w + b)
    return h @ weights[-1] + biases[-1]


def residual(t, x):
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([t, x])
            value = u(t, x)
        u_t = first.gradient(value, t)
        u_x = first.gradient(value, x)
        del first
    u_xx = second.gradient(u_x, x)
    return u_t + value * u_x - NU * u_xx


t_col = tf.constant(rng.uniform(0, 1, (20, 1)).astype("float32"))
x_col = tf.constant(rng.uniform(-1, 1, (20, 1)).astype("float32"))
x_ini = tf.constant(rng.uniform(-1, 1, (10, 1)).astype("float32"))
u_ini = -tf.sin(np.pi * x_ini)
t_bnd = tf.constant(rng.uniform(0, 1, (6, 1)).astype("float32"))
for epoch in range(3):
    with tf.GradientTape() as tape:
        f = residual(t_col, x_col)
        initial = u(tf.zeros_like(x_ini), x_ini) - u_ini
        edges = tf.concat([u(t_bnd, tf.ones_like(t_bnd)), u(t_bnd, -tf.ones_like(t_bnd))], axis=0)
        loss = tf.reduce_mean(f ** 2) + tf.reduce_mean(initial ** 2) + tf.reduce_mean(edges ** 2)
    grads = tape.gradient(loss, params)
    for p, g in zip(params, grads):
        p.assign_sub(0.01 * g)
print("RESULT:", loss.numpy())
