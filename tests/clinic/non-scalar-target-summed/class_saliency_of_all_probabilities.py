"""The sensitivity of each class probability is wanted; their sum is always 1."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(49)
w1 = tf.Variable(rng.normal(0, 0.6, (7, 9)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.6, (9, 4)).astype("float32"))


def classify(x):
    return tf.nn.softmax(tf.tanh(x @ w1) @ w2)


def saliency(x):
    x = tf.convert_to_tensor(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        probabilities = classify(x)
    return tape.gradient(probabilities, x)  # cause


sample = rng.normal(size=(1, 7)).astype("float32")
s = saliency(sample)
print(tf.reduce_max(tf.abs(s)).numpy())
