"""A compiled step that computes the features of the encoder before the tape, to use them in two losses."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


class MLP(tf.Module):
    def __init__(self, sizes, name):
        super().__init__(name=name)
        self.ws = [tf.Variable(rng.normal(0, a**-0.5, (a, b)).astype("float32")) for a, b in zip(sizes, sizes[1:])]
        self.bs = [tf.Variable(tf.zeros(b)) for b in sizes[1:]]

    def __call__(self, x):
        for w, b in zip(self.ws[:-1], self.bs):
            x = tf.nn.gelu(x @ w + b)
        return x @ self.ws[-1] + self.bs[-1]


encoder, classifier, decoder = MLP([8, 16, 4], "enc"), MLP([4, 3], "cls"), MLP([4, 8], "dec")


@tf.function
def train_step(x, y):
    z = encoder(x)  # cause
    with tf.GradientTape() as tape:
        recon = tf.reduce_mean(tf.square(decoder(z) - x))
        ce = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, classifier(z)))
        loss = recon + 0.5 * ce
    variables = encoder.trainable_variables + classifier.trainable_variables + decoder.trainable_variables
    grads = tape.gradient(loss, variables)
    for v, g in zip(variables, grads):
        if g is not None:
            v.assign_sub(0.05 * g)
    return loss


x = tf.constant(rng.normal(size=(32, 8)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 32))
for i in range(3):
    print(train_step(x, y).numpy())
