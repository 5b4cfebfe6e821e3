import tensorflow as tf

image = tf.constant([[0.1, 0.2], [0.3, 0.4]])
with tf.GradientTape() as tape:
    tape.watch(image)
    copy = tf.identity(image)  # cause
    score = tf.reduce_sum(image ** 2)  # cause
print(tape.gradient(score, copy))  # cause
