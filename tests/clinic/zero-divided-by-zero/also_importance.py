import tensorflow as tf
logw = tf.Variable([-200.0, -300.0, -250.0])
values = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    w = tf.exp(logw)
    estimate = tf.reduce_sum(w * values) / tf.reduce_sum(w)  # cause
print(tape.gradient(estimate, logw))
