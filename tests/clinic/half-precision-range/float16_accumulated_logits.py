import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
w = tf.Variable(rng.normal(0, 1, (32, 4)).astype("float32"))
x = (rng.normal(size=(6, 32)) * 40).astype("float32")
labels = tf.constant([0, 1, 2, 3, 0, 1])


def autocast(f):
    return lambda *a: tf.cast(f(*[tf.cast(v, tf.float16) for v in a]), tf.float32)


@autocast
def logits(x, w):
    z = tf.matmul(x, w)
    return z * z  # cause


with tf.GradientTape() as tape:
    z = logits(x, w)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=z))
print("RESULT:", loss.numpy(), tape.gradient(loss, w).numpy().ravel()[:3])
