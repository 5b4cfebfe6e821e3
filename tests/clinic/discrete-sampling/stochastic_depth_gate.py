import numpy as np
import tensorflow as tf

tf.random.set_seed(8)
keep_logit = tf.Variable([0.4, -0.2, 0.8])
blocks = [tf.Variable(np.eye(3, dtype="float32") * s) for s in (0.5, 0.7, 0.9)]
x = tf.constant([[1.0, -1.0, 2.0]])


class Gate:
    def __init__(self, logits):
        self.logits = logits

    def draw(self):
        p = tf.sigmoid(self.logits)
        noise = tf.random.uniform(p.shape)
        return tf.cast(noise < p, tf.float32)  # cause


gate = Gate(keep_logit)
with tf.GradientTape() as tape:
    keep = gate.draw()
    h = x
    for i, block in enumerate(blocks):
        h = h + keep[i] * (h @ block)
    loss = tf.reduce_mean(h ** 2)
print("RESULT:", tape.gradient(loss, keep_logit))
