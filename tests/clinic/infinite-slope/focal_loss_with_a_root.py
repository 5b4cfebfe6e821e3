"""Focal loss with gamma 0.5; a pixel with probability exactly 1 has an infinite slope."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
features = rng.normal(size=(12, 4)).astype("float32")
features[3] = [30.0, 5.0, 0.0, 0.0]
truth = tf.constant((features[:, :1] > 0).astype("float32"))
w = tf.Variable([[1.0], [0.5], [0.0], [0.0]])
b = tf.Variable([0.0])


def focal(truth, p, gamma=0.5):
    eps = 1e-7
    pt = truth * p + (1.0 - truth) * (1.0 - p)
    weight = tf.pow(1.0 - pt, gamma)  # cause
    return tf.reduce_mean(-weight * tf.math.log(pt + eps))


@tf.function
def train(x, t):
    with tf.GradientTape() as tape:
        p = tf.sigmoid(x @ w + b)
        loss = focal(t, p)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    return loss


for _ in range(3):
    print(train(tf.constant(features), truth).numpy())
