import tensorflow as tf

threshold = tf.Variable(0.4)
signal = tf.constant([0.1, 0.5, 0.9])
with tf.GradientTape() as tape:
    mask = tf.where(signal > threshold, 1.0, 0.0)  # cause
    kept = tf.reduce_sum(signal * mask)
print(tape.gradient(kept, threshold))
