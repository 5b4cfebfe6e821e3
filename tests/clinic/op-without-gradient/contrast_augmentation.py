import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
patch = tf.Variable(rng.random((1, 6, 6, 3)).astype("float32"))
kernel = tf.constant(rng.normal(size=(3, 3, 3, 2)).astype("float32"))


def augment(image):
    image = tf.image.adjust_brightness(image, 0.1)
    return tf.image.adjust_saturation(image, 1.3)  # cause


def score(image):
    return tf.reduce_mean(tf.nn.conv2d(image, kernel, 1, "SAME")[..., 0])


for step in range(2):
    with tf.GradientTape() as tape:
        objective = -score(augment(patch))
    patch.assign_sub(0.1 * tape.gradient(objective, patch))
print("RESULT:", objective.numpy())
