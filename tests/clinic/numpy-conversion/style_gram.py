import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
filters = tf.constant(rng.normal(0, 0.2, size=(3, 3, 3, 6)).astype("float32"))
style = rng.uniform(size=(1, 12, 12, 3)).astype("float32")
image = tf.Variable(rng.uniform(size=(1, 12, 12, 3)).astype("float32"))


def features(img):
    return tf.nn.relu(tf.nn.conv2d(img, filters, 1, "VALID"))


def gram(activation):
    flat = np.reshape(activation, (-1, activation.shape[-1]))  # cause
    return tf.matmul(flat, flat, transpose_a=True) / flat.shape[0]


style_gram = gram(features(style))


def style_loss(img):
    return tf.reduce_mean((gram(features(img)) - style_gram) ** 2)


with tf.GradientTape() as tape:
    loss = style_loss(image)
print("RESULT:", tape.gradient(loss, image))
