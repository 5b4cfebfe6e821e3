import tensorflow as tf

p = tf.Variable([0.2, 1.4])
p = tf.clip_by_value(p, 0.0, 1.0)  # cause
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(p ** 2)  # cause
print(tape.gradient(loss, p))
