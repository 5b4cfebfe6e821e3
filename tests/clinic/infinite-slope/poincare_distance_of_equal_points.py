import tensorflow as tf

emb = tf.Variable([[0.1, 0.2], [0.1, 0.2]])

def poincare(u, v):
    sq = tf.reduce_sum((u - v) ** 2)
    a = 1.0 + 2.0 * sq / ((1 - tf.reduce_sum(u ** 2)) * (1 - tf.reduce_sum(v ** 2)))
    return tf.acosh(a)  # cause

with tf.GradientTape() as tape:
    d = poincare(emb[0], emb[1])
print(d, tape.gradient(d, emb))
