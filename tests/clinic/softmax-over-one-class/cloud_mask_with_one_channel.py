"""A mask with one channel goes through a softmax over channels, as the multiclass model did."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(52)
x = tf.constant(rng.normal(size=(3, 6, 6, 2)).astype("float32"))
mask = tf.cast(x[..., :1] > 0.2, tf.float32)
CLASSES = 1
params = [
    tf.Variable(rng.normal(0, 0.3, (3, 3, 2, 4)).astype("float32")),
    tf.Variable(rng.normal(0, 0.3, (1, 1, 4, CLASSES)).astype("float32")),
]


def predict(x):
    h = tf.nn.leaky_relu(tf.nn.conv2d(x, params[0], 1, "SAME"))
    return tf.nn.softmax(tf.nn.conv2d(h, params[1], 1, "SAME"), axis=-1)  # cause


def bce(truth, p, eps=1e-6):
    p = p * (1.0 - 2.0 * eps) + eps
    return -tf.reduce_mean(truth * tf.math.log(p) + (1.0 - truth) * tf.math.log(1.0 - p))


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = bce(mask, predict(x))
    for v, g in zip(params, tape.gradient(loss, params)):
        v.assign_sub(0.5 * g)
    print(loss.numpy())
