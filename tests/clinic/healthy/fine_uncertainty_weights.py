import tensorflow as tf
s = tf.Variable([0.0, 0.0])
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    l1, l2 = (w[0] - 3.0) ** 2, (w[1] + 1.0) ** 2
    loss = tf.exp(-s[0]) * l1 + s[0] + tf.exp(-s[1]) * l2 + s[1]
print(tape.gradient(loss, [s, w]))
