import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
CLASSES = 5


class Classifier:
    def __init__(self):
        self.w = tf.Variable(rng.normal(size=(8, CLASSES)).astype("float32"))

    def loss(self, x, labels):
        logits = x @ self.w
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)  # cause
        return tf.reduce_mean(each)


model = Classifier()
labels = rng.integers(1, CLASSES + 1, size=20)  # cause
labels[0] = CLASSES
with tf.GradientTape() as tape:
    loss = model.loss(rng.normal(size=(20, 8)).astype("float32"), labels)
print(tape.gradient(loss, model.w))
