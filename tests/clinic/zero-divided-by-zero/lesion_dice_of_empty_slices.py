"""Dice without smoothing: slices without a lesion, for which the clipped output is 0 everywhere too."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
scans = rng.normal(size=(4, 8, 8, 1)).astype("float32")
truth = (scans > 0.8).astype("float32")
truth[2] = 0.0
scans[2] = -1.0
params = {
    "kernel": tf.Variable(np.full((1, 1, 1, 1), 0.7, "float32")),
    "bias": tf.Variable([0.1]),
}


def model(x):
    return tf.clip_by_value(tf.nn.conv2d(x, params["kernel"], 1, "SAME") + params["bias"], 0.0, 1.0)


def dice_per_slice(truth, predicted):
    both = tf.reduce_sum(truth * predicted, axis=[1, 2, 3])
    total = tf.reduce_sum(truth, axis=[1, 2, 3]) + tf.reduce_sum(predicted, axis=[1, 2, 3])
    return 2.0 * both / total  # cause


for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(1.0 - dice_per_slice(tf.constant(truth), model(tf.constant(scans))))
    grads = tape.gradient(loss, params)
    for name, g in grads.items():
        params[name].assign_sub(0.05 * g)
    print(epoch, loss.numpy())
