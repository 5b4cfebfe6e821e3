import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
logits = tf.Variable((rng.normal(size=(4, 5)) * 6).astype("float16"))


def unnormalised_softmax(z):
    e = tf.exp(z + tf.constant(6.0, tf.float16))  # cause
    return e / tf.reduce_sum(e, axis=-1, keepdims=True)  # cause


with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(tf.math.log(unnormalised_softmax(logits)[:, 0] + tf.constant(1e-3, tf.float16)))
print("RESULT:", tape.gradient(loss, logits).numpy())
