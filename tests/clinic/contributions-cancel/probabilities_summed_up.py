"""The confidence of a classifier, as the sum over its classes."""

import tensorflow as tf


def confidence(logits):
    probabilities = tf.nn.softmax(logits)
    return tf.reduce_mean(tf.reduce_sum(probabilities, axis=-1))  # cause


image = tf.Variable(tf.random.uniform((2, 6), seed=1))
layer = tf.random.normal((6, 3), seed=2)
with tf.GradientTape() as tape:
    score = confidence(image @ layer)
saliency = tape.gradient(score, image)
print(saliency)
