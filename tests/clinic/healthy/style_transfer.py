import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
kernel = tf.constant(rng.normal(size=(3, 3, 1, 4)).astype("float32") * 0.3)
style = tf.constant(rng.random((1, 8, 8, 1)).astype("float32"))
image = tf.Variable(rng.random((1, 8, 8, 1)).astype("float32"))


def gram(x):
    f = tf.reshape(tf.nn.conv2d(x, kernel, 1, "SAME"), [-1, 4])
    return tf.matmul(f, f, transpose_a=True) / 64.0


goal = gram(style)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((gram(image) - goal) ** 2)
    image.assign(tf.clip_by_value(image - 0.1 * tape.gradient(loss, image), 0.0, 1.0))
print(loss.numpy())
