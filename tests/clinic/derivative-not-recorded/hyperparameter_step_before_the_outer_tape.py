"""The weight decay is learned through one step of training, but that step was taken before the outer tape began."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
x, y = rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(10, 1)).astype("float32")
vx, vy = rng.normal(size=(5, 3)).astype("float32"), rng.normal(size=(5, 1)).astype("float32")
w = tf.Variable(tf.zeros((3, 1)))
log_decay = tf.Variable(-2.0)


def train_loss(w, decay):
    return tf.reduce_mean((x @ w - y) ** 2) + decay * tf.reduce_sum(w ** 2)


def valid_loss(w):
    return tf.reduce_mean((vx @ w - vy) ** 2)


def unrolled(w, rate=0.1):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = train_loss(w, tf.exp(log_decay))
    return w - rate * tape.gradient(loss, w)


for step in range(2):
    stepped = unrolled(unrolled(tf.convert_to_tensor(w)))  # cause
    with tf.GradientTape() as outer:
        loss = valid_loss(stepped)
    d_decay = outer.gradient(loss, log_decay)
    if d_decay is not None:
        log_decay.assign_sub(0.5 * d_decay)
    w.assign(stepped)
    print(step, loss.numpy(), log_decay.numpy())
