import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
B, L, D, H = 3, 5, 8, 2
lengths = np.array([5, 2, 3])
pad = np.arange(L)[None, :] < lengths[:, None]
x = rng.normal(size=(B, L, D)).astype("float32") * pad[..., None]


def glorot(*s):
    limit = np.sqrt(6.0 / (s[0] + s[-1]))
    return tf.Variable(rng.uniform(-limit, limit, s).astype("float32"))


wq, wk, wv, wo = glorot(D, D), glorot(D, D), glorot(D, D), glorot(D, D)
head = glorot(D, 2)


def attend(x, mask):
    def heads(t):
        return tf.transpose(tf.reshape(t, [B, L, H, D // H]), [0, 2, 1, 3])

    q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
    scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(D // H, tf.float32))
    scores = tf.where(mask[:, None, None, :], scores, tf.fill(tf.shape(scores), -1e9))
    weights = tf.nn.softmax(scores)
    weights = tf.nn.dropout(weights, rate=0.1, seed=1)
    context = tf.reshape(tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3]), [B, L, D])
    return context @ wo


labels = tf.one_hot([0, 1, 1], 2)
variables = [wq, wk, wv, wo, head]
for _ in range(3):
    with tf.GradientTape() as tape:
        out = x + attend(tf.constant(x, tf.float32), tf.constant(pad))
        m = tf.cast(pad, tf.float32)[..., None]
        pooled = tf.reduce_sum(out * m, axis=1) / tf.reduce_sum(m, axis=1)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, pooled @ head))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
