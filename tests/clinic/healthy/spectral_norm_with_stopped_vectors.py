import tensorflow as tf
w = tf.Variable(tf.random.normal((5, 5), stddev=0.1, seed=1))
def spectral(w, u, n=3):
    for _ in range(n):
        v = tf.math.l2_normalize(tf.linalg.matvec(w, u, transpose_a=True)); u = tf.math.l2_normalize(tf.linalg.matvec(w, v))
    u, v = tf.stop_gradient(u), tf.stop_gradient(v)
    return w / tf.tensordot(u, tf.linalg.matvec(w, v), 1)
x = tf.random.normal((3, 5), seed=2); u0 = tf.random.normal((5,), seed=3)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x @ spectral(w, u0)) ** 2)
print(tape.gradient(loss, w))
