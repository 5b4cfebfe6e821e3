"""The last state of each sequence is looked up without batch_dims: every sequence gets the states of all lengths."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
B, T, H = 5, 7, 4
sequences = tf.constant(rng.normal(size=(B, T, 2)).astype("float32"))
lengths = tf.constant([3, 7, 5, 2, 6])
labels = tf.constant(rng.normal(size=(B, 1)).astype("float32"))


class Encoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.wx = tf.Variable(rng.normal(0, 0.4, (2, H)).astype("float32"))
        self.wh = tf.Variable(rng.normal(0, 0.4, (H, H)).astype("float32"))
        self.head = tf.Variable(rng.normal(0, 0.4, (H, 1)).astype("float32"))

    def states(self, x):
        h, every = tf.zeros((x.shape[0], H)), []
        for t in range(x.shape[1]):
            h = tf.tanh(x[:, t] @ self.wx + h @ self.wh)
            every.append(h)
        return tf.stack(every, axis=1)

    def __call__(self, x, lengths):
        last = tf.gather(self.states(x), lengths - 1, axis=1)  # cause
        return last @ self.head


encoder = Encoder()
for _ in range(3):
    with tf.GradientTape() as tape:
        error = encoder(sequences, lengths) - labels
        loss = tf.reduce_mean(error ** 2)
    grads = tape.gradient(loss, encoder.trainable_variables)
    for v, g in zip(encoder.trainable_variables, grads):
        v.assign_sub(0.05 * g)
    print(loss.numpy())
