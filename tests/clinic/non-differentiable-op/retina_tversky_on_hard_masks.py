"""Vessel segmentation: the Tversky index is computed on masks instead of probabilities."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
images = tf.constant(rng.normal(size=(4, 16, 16, 1)).astype("float32"))
masks = tf.cast(images > 0.3, tf.float32)


class Segmenter:
    def __init__(self):
        init = tf.random_normal_initializer(stddev=0.2, seed=1)
        self.layers = [
            {"kernel": tf.Variable(init((3, 3, 1, 4))), "bias": tf.Variable(tf.zeros(4))},
            {"kernel": tf.Variable(init((3, 3, 4, 1))), "bias": tf.Variable(tf.zeros(1))},
        ]

    def logits(self, x):
        first, last = self.layers
        x = tf.nn.relu(tf.nn.conv2d(x, first["kernel"], 1, "SAME") + first["bias"])
        return tf.nn.conv2d(x, last["kernel"], 1, "SAME") + last["bias"]

    def segment(self, x, threshold=0.5):
        return tf.cast(tf.sigmoid(self.logits(x)) > threshold, tf.float32)  # cause

    @property
    def weights(self):
        return [layer[name] for layer in self.layers for name in ("kernel", "bias")]


def tversky(truth, predicted, alpha=0.7):
    axes = (1, 2, 3)
    hit = tf.reduce_sum(truth * predicted, axes)
    missed = tf.reduce_sum(truth * (1.0 - predicted), axes)
    false = tf.reduce_sum((1.0 - truth) * predicted, axes)
    return 1.0 - tf.reduce_mean((hit + 1.0) / (hit + alpha * missed + (1.0 - alpha) * false + 1.0))


net = Segmenter()
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tversky(masks, net.segment(images))
    grads = tape.gradient(loss, net.weights)
    for weight, grad in zip(net.weights, grads):
        if grad is not None:
            weight.assign_sub(0.1 * grad)
    print(epoch, float(loss))
