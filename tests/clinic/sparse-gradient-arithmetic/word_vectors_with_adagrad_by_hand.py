"""Skip-gram with an Adagrad of one's own: the gradient of the lookup is squared."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
corpus = rng.integers(0, 20, size=200)
inputs = tf.Variable(rng.normal(0, 0.1, (20, 6)).astype("float32"))
outputs = tf.Variable(rng.normal(0, 0.1, (20, 6)).astype("float32"))


class Adagrad:
    def __init__(self, rate, variables):
        self.rate = rate
        self.sums = [tf.Variable(tf.zeros_like(v)) for v in variables]

    def apply(self, gradients, variables):
        for g, total, v in zip(gradients, self.sums, variables):
            total.assign_add(g ** 2)  # cause
            v.assign_sub(self.rate * g / (tf.sqrt(total) + 1e-7))


def loss_of(centers, contexts, negatives):
    c = tf.gather(inputs, centers)
    positive = tf.reduce_sum(c * tf.gather(outputs, contexts), axis=1)
    negative = tf.einsum("bd,bnd->bn", c, tf.gather(outputs, negatives))
    return -tf.reduce_mean(tf.math.log_sigmoid(positive)) - tf.reduce_mean(tf.math.log_sigmoid(-negative))


optimizer = Adagrad(0.1, [inputs, outputs])
for start in range(0, 60, 20):
    centers = corpus[start : start + 20]
    contexts = corpus[start + 1 : start + 21]
    negatives = rng.integers(0, 20, size=(20, 3))
    with tf.GradientTape() as tape:
        loss = loss_of(centers, contexts, negatives)
    optimizer.apply(tape.gradient(loss, [inputs, outputs]), [inputs, outputs])
    print(loss.numpy())
