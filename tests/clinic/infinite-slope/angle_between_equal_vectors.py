import tensorflow as tf

a = tf.constant([1.0, 0.0, 0.0])
b = tf.Variable([1.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    cosine = tf.reduce_sum(a * b)
    angle = tf.acos(cosine)  # cause
    loss = angle ** 2
print(tape.gradient(loss, b))
