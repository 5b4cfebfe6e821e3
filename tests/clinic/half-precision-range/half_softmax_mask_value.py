import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
keys = rng.normal(size=(2, 4, 3)).astype("float16")
wq = tf.Variable(rng.normal(size=(3,)).astype("float16"))
lengths = [4, 2]


def energy(k, q):
    return tf.exp(tf.einsum("btd,d->bt", k, q) * tf.constant(8.0, tf.float16))  # cause


def attention(k, q):
    e = energy(k, q)
    return e / tf.reduce_sum(e, axis=1, keepdims=True)


wq.assign([2.0, -1.5, 1.8])
with tf.GradientTape() as tape:
    weights = attention(keys, wq)
    loss = tf.reduce_sum(weights[:, 0])
print("RESULT:", tape.gradient(loss, wq).numpy())
