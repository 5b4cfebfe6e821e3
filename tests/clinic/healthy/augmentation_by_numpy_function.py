import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
k = tf.Variable(rng.normal(0, 0.3, (3, 3, 1, 2)).astype("float32"))
images = rng.random((4, 6, 6, 1)).astype("float32")


def flip(batch):
    return batch[:, :, ::-1].copy() if rng.random() < 0.5 else batch


for _ in range(3):
    batch = tf.numpy_function(flip, [images], tf.float32)
    batch = tf.ensure_shape(batch, [4, 6, 6, 1])
    with tf.GradientTape() as tape:
        h = tf.nn.relu(tf.nn.conv2d(batch, k, 1, "SAME"))
        loss = tf.reduce_mean((tf.reduce_mean(h, [1, 2]) - 0.5) ** 2)
    k.assign_sub(0.1 * tape.gradient(loss, k))
print("RESULT:", loss.numpy())
