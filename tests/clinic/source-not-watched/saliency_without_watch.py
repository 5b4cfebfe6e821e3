import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
image = tf.constant(rng.random((1, 8, 8, 1)).astype("float32"))
kernel = tf.Variable(rng.normal(size=(3, 3, 1, 4)).astype("float32"))
dense = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


def classify(img):
    h = tf.nn.relu(tf.nn.conv2d(img, kernel, 1, "SAME"))
    return tf.reduce_mean(h, axis=[1, 2]) @ dense


with tf.GradientTape() as tape:
    scores = classify(image)  # cause
    top = tf.reduce_max(scores, axis=1)
saliency = tape.gradient(top, image)  # cause
print("RESULT:", saliency)
