"""CycleGAN: four networks, four losses and one persistent tape in a compiled step."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(62)
tf.random.set_seed(62)


def linear(i, o):
    return [tf.Variable(rng.normal(0, 0.4, (i, o)).astype("float32")), tf.Variable(tf.zeros(o))]


G, F, DX, DY = linear(3, 3), linear(3, 3), linear(3, 1), linear(3, 1)


def run(layer, x):
    return x @ layer[0] + layer[1]


def lsgan(score, goal):
    return tf.reduce_mean((score - goal) ** 2)


@tf.function
def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        fake_y, fake_x = run(G, x), run(F, y)
        cycle = tf.reduce_mean(tf.abs(run(F, fake_y) - x)) + tf.reduce_mean(tf.abs(run(G, fake_x) - y))
        identity = tf.reduce_mean(tf.abs(run(G, y) - y)) + tf.reduce_mean(tf.abs(run(F, x) - x))
        g_loss = lsgan(run(DY, fake_y), 1.0) + 10.0 * cycle + 5.0 * identity
        f_loss = lsgan(run(DX, fake_x), 1.0) + 10.0 * cycle + 5.0 * identity
        dx_loss = 0.5 * (lsgan(run(DX, x), 1.0) + lsgan(run(DX, tf.stop_gradient(fake_x)), 0.0))
        dy_loss = 0.5 * (lsgan(run(DY, y), 1.0) + lsgan(run(DY, tf.stop_gradient(fake_y)), 0.0))
    for loss, layer in ((g_loss, G), (f_loss, F), (dx_loss, DX), (dy_loss, DY)):
        for v, g in zip(layer, tape.gradient(loss, layer)):
            v.assign_sub(0.01 * g)
    return g_loss, f_loss, dx_loss, dy_loss


for _ in range(3):
    print([float(v) for v in train_step(tf.random.normal((8, 3)), tf.random.normal((8, 3), mean=1.0))])
