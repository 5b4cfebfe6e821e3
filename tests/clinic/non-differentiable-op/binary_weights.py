import tensorflow as tf

w = tf.Variable([[0.2, -0.7], [1.4, 0.1]])
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    out = tf.reduce_sum(tf.matmul(x, tf.sign(w)) ** 2)  # cause
w.assign_sub(0.1 * tape.gradient(out, w))
print(w)
