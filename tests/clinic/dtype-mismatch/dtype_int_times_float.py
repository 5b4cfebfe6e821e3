import tensorflow as tf

counts = tf.constant([1, 2, 3])  # cause
rate = tf.Variable([0.5, 0.25, 0.125])
with tf.GradientTape() as tape:
    total = tf.reduce_sum(counts * rate)  # cause
print(tape.gradient(total, rate))
