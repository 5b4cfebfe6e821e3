import tensorflow as tf

steps = tf.constant([1, 2, 3])  # cause
w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    decay = steps * 0.5  # cause
    loss = tf.reduce_sum(w * tf.cast(decay, tf.float32))
print(tape.gradient(loss, w))
