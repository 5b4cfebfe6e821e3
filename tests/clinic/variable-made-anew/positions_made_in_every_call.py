"""A transformer block whose positional embedding is created whenever it is called."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(8)
tokens = tf.constant(np.random.default_rng(8).integers(0, 10, size=(4, 6)))
labels = tf.constant([0, 1, 1, 0])


class Block:
    def __init__(self, d=8):
        self.d = d
        self.embed = tf.Variable(tf.random.normal((10, d), stddev=0.3))
        self.qkv = tf.Variable(tf.random.normal((d, 3 * d), stddev=0.3))
        self.out = tf.Variable(tf.random.normal((d, 2), stddev=0.3))

    def __call__(self, tokens):
        x = tf.gather(self.embed, tokens)
        self.positions = tf.Variable(tf.random.normal((tokens.shape[1], self.d), stddev=0.1))  # cause
        x = x + self.positions
        q, k, v = tf.split(x @ self.qkv, 3, axis=-1)
        a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / self.d ** 0.5)
        return tf.reduce_mean(a @ v, axis=1) @ self.out

    @property
    def weights(self):
        return [self.embed, self.qkv, self.out, self.positions]


block = Block()
for step in range(5):
    with tf.GradientTape() as tape:
        logits = block(tokens)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    for w, g in zip(block.weights, tape.gradient(loss, block.weights)):
        w.assign_sub(0.1 * tf.convert_to_tensor(g))
    print(step, loss.numpy())
