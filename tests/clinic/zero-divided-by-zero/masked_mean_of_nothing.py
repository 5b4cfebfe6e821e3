import tensorflow as tf

scores = tf.Variable([0.2, 0.4, 0.6])
mask = tf.constant([0.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    mean = tf.reduce_sum(scores * mask) / tf.reduce_sum(mask)  # cause
    loss = (mean - 1.0) ** 2
print(tape.gradient(loss, scores))
