import tensorflow as tf

a = tf.Variable([0.2, -0.4, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((tf.clip_by_value(a, -1.0, 1.0) - 0.5) ** 2)
print(tape.gradient(loss, a).numpy())
