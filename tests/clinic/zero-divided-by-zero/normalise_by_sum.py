import tensorflow as tf

hits = tf.constant([[3.0, 1.0], [0.0, 0.0], [2.0, 2.0]])
scale = tf.Variable(1.0)
with tf.GradientTape() as tape:
    counts = hits * scale
    totals = tf.reduce_sum(counts, axis=1, keepdims=True)
    shares = counts / totals  # cause
    loss = tf.reduce_mean(shares ** 2)
print(tape.gradient(loss, scale).numpy())
