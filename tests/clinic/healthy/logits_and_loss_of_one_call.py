import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


@tf.function
def evaluate(x, labels):
    logits = x @ w
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return logits, loss


x = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
labels = tf.constant([0, 1, 2, 0, 1, 2])
for _ in range(3):
    with tf.GradientTape() as tape:
        logits, loss = evaluate(x, labels)
        total = loss + 0.01 * tf.reduce_sum(logits**2)
    w.assign_sub(0.1 * tape.gradient(total, w))
print("RESULT:", float(total))
