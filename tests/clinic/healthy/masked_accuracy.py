import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
x = rng.normal(size=(10, 5)).astype("float32")
labels = tf.constant(rng.integers(0, 3, size=10))
w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
with tf.GradientTape() as tape:
    logits = x @ w
    accuracy = tf.reduce_mean(tf.cast(tf.argmax(logits, axis=1) == labels, tf.float32))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    mask = tf.cast(logits > 0.0, tf.float32)
    loss += 0.01 * tf.reduce_mean(mask * logits)
print(accuracy.numpy(), tape.gradient(loss, w).numpy())
