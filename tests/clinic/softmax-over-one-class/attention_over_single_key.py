import numpy as np
import tensorflow as tf

rng = np.random.default_rng(34)
wq = tf.Variable(rng.normal(size=(3, 3)).astype("float32"), name="wq")
queries = rng.normal(size=(4, 3)).astype("float32")
memory = rng.normal(size=(5, 3)).astype("float32")


def scores(q, m):
    s = tf.matmul(q @ wq, m, transpose_b=True)
    return tf.reshape(s, (4, 5, 1))


def attend(q, m):
    weights = tf.nn.softmax(scores(q, m), axis=-1)  # cause
    return tf.reduce_sum(weights * m[None, :, :], axis=1)


with tf.GradientTape() as tape:
    context = attend(queries, memory)
    loss = tf.reduce_mean(context ** 2)
print("RESULT:", tape.gradient(loss, wq).numpy())
