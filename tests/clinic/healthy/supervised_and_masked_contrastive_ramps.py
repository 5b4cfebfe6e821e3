"""A batch with a class of one example: its row of positives is empty and weighs nothing."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(35)
x = tf.constant(rng.normal(size=(7, 6)).astype("float32"))
labels = tf.constant([0, 0, 1, 1, 2, 1, 0])
w = tf.Variable(rng.normal(0, 0.5, (6, 4)).astype("float32"))


def supcon(z, labels, temperature=0.1):
    z = tf.math.l2_normalize(z, axis=1)
    logits = z @ tf.transpose(z) / temperature
    logits -= tf.stop_gradient(tf.reduce_max(logits, axis=1, keepdims=True))
    others = 1.0 - tf.eye(len(labels))
    log_p = logits - tf.math.log(tf.reduce_sum(tf.exp(logits) * others, axis=1, keepdims=True))
    positives = tf.cast(labels[:, None] == labels[None, :], tf.float32) * others
    count = tf.reduce_sum(positives, axis=1)
    mean = tf.reduce_sum(positives * log_p, axis=1) / tf.maximum(count, 1.0)
    has_any = tf.cast(count > 0, tf.float32)
    return -tf.reduce_sum(mean * has_any) / tf.reduce_sum(has_any)


for step in range(3):
    with tf.GradientTape() as tape:
        loss = supcon(x @ w, labels)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print(step, loss.numpy())
