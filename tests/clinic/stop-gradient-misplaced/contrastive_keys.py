import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)


class MoCo(tf.Module):
    def __init__(self):
        super().__init__()
        self.query_encoder = tf.Variable(rng.normal(0, 0.4, (5, 3)).astype("float32"))
        self.key_encoder = tf.Variable(self.query_encoder, trainable=False)

    def embed(self, x, encoder):
        return tf.nn.l2_normalize(tf.matmul(x, encoder), axis=1)

    def loss(self, a, b, temperature=0.2):
        q = tf.stop_gradient(self.embed(a, self.query_encoder))  # cause
        k = self.embed(b, self.key_encoder)
        logits = tf.matmul(q, k, transpose_b=True) / temperature
        labels = tf.range(tf.shape(logits)[0])
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


a = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
b = a + 0.05 * tf.constant(rng.normal(size=(6, 5)).astype("float32"))
model = MoCo()
for step in range(2):
    with tf.GradientTape() as tape:
        loss = model.loss(a, b)
    grad = tape.gradient(loss, model.query_encoder)
print("RESULT:", grad)
