import tensorflow as tf

tf.random.set_seed(2)
wq, wk, wv, wo = [tf.Variable(tf.random.normal([6, 6], stddev=0.4)) for _ in range(4)]
x = tf.random.normal([3, 5, 6])


def heads(t):
    return tf.transpose(tf.reshape(t, [3, 5, 2, 3]), [0, 2, 1, 3])


with tf.GradientTape() as tape:
    q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
    scores = tf.einsum("bhqd,bhkd->bhqk", q, k) / 3.0 ** 0.5
    causal = tf.linalg.band_part(tf.ones([5, 5]), -1, 0)
    a = tf.nn.softmax(tf.where(causal > 0, scores, -1e9), axis=-1)
    out = tf.reshape(tf.transpose(tf.einsum("bhqk,bhkd->bhqd", a, v), [0, 2, 1, 3]), [3, 5, 6]) @ wo
    loss = tf.reduce_mean((out - x) ** 2)
print("RESULT:", [float(tf.norm(g)) for g in tape.gradient(loss, [wq, wk, wv, wo])])
