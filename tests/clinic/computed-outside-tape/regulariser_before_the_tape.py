import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
kernel = tf.Variable(rng.normal(size=(3, 3, 1, 2)).astype("float32"))
images = tf.constant(rng.random((4, 6, 6, 1)).astype("float32"))


def smoothness(k):
    return tf.reduce_sum((k[1:] - k[:-1]) ** 2)


for step in range(3):
    penalty = 0.1 * smoothness(kernel)  # cause
    with tf.GradientTape() as tape:
        maps = tf.nn.conv2d(images, kernel, strides=1, padding="VALID")
        loss = -tf.math.reduce_variance(maps) + penalty
    kernel.assign_sub(0.1 * tape.gradient(loss, kernel))
print("RESULT:", loss.numpy())
