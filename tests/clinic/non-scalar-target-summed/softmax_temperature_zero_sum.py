import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
w = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
gene = tf.Variable(rng.normal(size=(1, 6)).astype("float32"))


def classify(x):
    return tf.nn.softmax(tf.tanh(x @ w))


with tf.GradientTape() as tape:
    probabilities = classify(gene)  # cause
sensitivity = tape.gradient(probabilities, gene)  # cause
print("RESULT:", np.round(sensitivity.numpy(), 6) + 0.0)
