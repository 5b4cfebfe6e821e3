import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)


class Classifier(tf.Module):
    def __init__(self, inputs, classes):
        self.w = tf.Variable(rng.normal(0, 0.3, (inputs, classes)).astype("float32"))
        self.b = tf.Variable(tf.zeros(classes))

    def log_probabilities(self, x):
        return tf.nn.log_softmax(x @ self.w + self.b)


def negative_log_likelihood(model, x, labels):
    log_p = model.log_probabilities(x)
    return -tf.reduce_mean(tf.gather(log_p, labels, axis=-1))  # cause


model = Classifier(4, 3)
x = tf.constant(rng.normal(size=(8, 4)).astype("float32"))
labels = tf.constant(rng.integers(0, 3, 8))
with tf.GradientTape() as tape:
    loss = negative_log_likelihood(model, x, labels)
print(tape.gradient(loss, model.trainable_variables))
