import tensorflow as tf

weights = tf.Variable([0.4, -0.2])
returns = tf.constant([[0.1, 0.2], [0.3, -0.1]])
with tf.GradientTape() as tape:
    signal = tf.linalg.matvec(returns, weights)
    position = tf.sign(signal)  # cause
    pnl = tf.reduce_sum(position * tf.constant([0.5, 0.2]))
print(tape.gradient(pnl, weights))
