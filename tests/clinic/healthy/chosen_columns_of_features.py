import tensorflow as tf
x = tf.random.stateless_normal((4, 6), [1, 2]); w = tf.Variable(tf.random.stateless_normal((4, 1), [1, 3]))
cols = tf.constant([0, 2, 2, 5])
with tf.GradientTape() as tape:
    f = tf.gather(x, cols, axis=1)
    p = tf.squeeze(f @ w, 1)
    s = tf.matmul(f, f, transpose_b=True)
    a = tf.exp(s - tf.reduce_max(s, axis=1, keepdims=True)); a = a / tf.reduce_sum(a, axis=1, keepdims=True)
    loss = tf.reduce_mean((a @ p[:, None] - 1.0) ** 2)
print(tape.gradient(loss, w))
