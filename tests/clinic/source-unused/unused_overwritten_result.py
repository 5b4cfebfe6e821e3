import tensorflow as tf

w1 = tf.Variable([[0.1, 0.2], [0.3, 0.4]])  # cause
w2 = tf.Variable([[0.5, 0.6], [0.7, 0.8]])
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    h = tf.tanh(x @ w1)  # cause
    h = tf.tanh(x @ w2)  # cause
    loss = tf.reduce_sum(h ** 2)
g1, g2 = tape.gradient(loss, [w1, w2])  # cause
print(g1, g2)
