"""A small U-Net; pixels labelled 255 are ignored, and one image holds no others."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = tf.constant(rng.normal(size=(3, 8, 8, 1)).astype("float32"))
labels = rng.integers(0, 3, size=(3, 8, 8))
labels[2] = 255
labels[0, :2] = 255


def conv(i, o):
    return tf.Variable(rng.normal(0, 0.3, (3, 3, i, o)).astype("float32"))


weights = {"down": conv(1, 4), "middle": conv(4, 4), "up": conv(8, 4), "out": conv(4, 3)}


def unet(x):
    a = tf.nn.relu(tf.nn.conv2d(x, weights["down"], 1, "SAME"))
    b = tf.nn.max_pool2d(a, 2, 2, "VALID")
    b = tf.nn.relu(tf.nn.conv2d(b, weights["middle"], 1, "SAME"))
    b = tf.repeat(tf.repeat(b, 2, axis=1), 2, axis=2)
    c = tf.nn.relu(tf.nn.conv2d(tf.concat([a, b], -1), weights["up"], 1, "SAME"))
    return tf.nn.conv2d(c, weights["out"], 1, "SAME")


def loss_of(labels, logits):
    valid = tf.cast(labels != 255, tf.float32)
    safe = tf.where(labels == 255, tf.zeros_like(labels), labels)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=safe, logits=logits)
    per_image = tf.math.divide_no_nan(tf.reduce_sum(each * valid, [1, 2]), tf.reduce_sum(valid, [1, 2]))
    return tf.reduce_mean(per_image)


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_of(tf.constant(labels), unet(x))
    grads = tape.gradient(loss, weights)
    for name in weights:
        weights[name].assign_sub(0.1 * grads[name])
    print(loss.numpy())
