import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
logits = tf.Variable(rng.normal(size=(8, 3)).astype("float32"))
labels = rng.integers(0, 3, size=8)
weights = tf.constant(rng.uniform(size=(8, 1)).astype("float32"))
with tf.GradientTape() as tape:
    ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(ce * weights)  # cause
print(tape.gradient(loss, logits))
