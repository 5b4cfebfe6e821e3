import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal([2, 5, 8])
wq, wk, wv = [tf.Variable(tf.random.normal([8, 8], stddev=0.3)) for _ in range(3)]


def self_attention(x):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = tf.einsum("bqd,bkd->bqk", q, k) / tf.sqrt(8.0)
    attention = tf.nn.softmax(scores, axis=1)  # cause
    return tf.einsum("bqk,bkd->bqd", attention, v)


with tf.GradientTape() as tape:
    out = self_attention(x)
    loss = tf.reduce_mean(out ** 2)
grads = tape.gradient(loss, [wq, wk, wv])
print("RESULT:", [tf.norm(g).numpy() for g in grads])
