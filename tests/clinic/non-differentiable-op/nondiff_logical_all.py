import tensorflow as tf

bounds = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    inside = tf.logical_and(bounds > 0.5, bounds < 1.5)  # cause
    score = tf.reduce_sum(tf.cast(inside, tf.float32))
print(tape.gradient(score, bounds))
