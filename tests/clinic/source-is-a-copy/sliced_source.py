import tensorflow as tf

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    y = tf.reduce_sum(x[:, 0] ** 2 + tf.exp(x[:, 1]))
first = tape.gradient(y, x[:, 0])  # cause
print("RESULT:", first)
