import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
logits = tf.Variable(rng.normal(size=(6, 4)).astype("float32"))
labels = tf.one_hot([0, 1, 1, 3, 2, 2], 4)


def probabilities(z):
    e = tf.exp(z - tf.reduce_max(z))
    total = tf.reduce_sum(e, axis=0, keepdims=True)  # cause
    return e / total  # cause


for step in range(3):
    with tf.GradientTape() as tape:
        p = probabilities(logits)
        loss = -tf.reduce_mean(tf.reduce_sum(labels * tf.math.log(p + 1e-9), axis=1))
    logits.assign_sub(tape.gradient(loss, logits))
print("RESULT:", loss.numpy())
