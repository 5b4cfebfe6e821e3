"""NT-Xent by hand: similarities over a temperature of 0.01 leave float32 in exp."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
views = [tf.constant(rng.normal(size=(6, 9)).astype("float32")) for _ in range(2)]
encoder = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(9, 12), (12, 4)]]


def encode(x):
    h = tf.nn.relu(x @ encoder[0])
    return tf.math.l2_normalize(h @ encoder[1], axis=-1)


def nt_xent(za, zb, temperature):
    z = tf.concat([za, zb], axis=0)
    n = z.shape[0]
    similarity = tf.matmul(z, z, transpose_b=True) / temperature
    e = tf.exp(similarity)  # cause
    not_self = 1.0 - tf.eye(n)
    positives = tf.concat([tf.linalg.diag_part(e, k=n // 2), tf.linalg.diag_part(e, k=-(n // 2))], axis=0)
    return -tf.reduce_mean(tf.math.log(positives / tf.reduce_sum(e * not_self, axis=1)))


for step in range(3):
    with tf.GradientTape() as tape:
        loss = nt_xent(encode(views[0]), encode(views[1]), temperature=0.01)
    for v, g in zip(encoder, tape.gradient(loss, encoder)):
        v.assign_sub(0.1 * g)
    print(loss.numpy())
