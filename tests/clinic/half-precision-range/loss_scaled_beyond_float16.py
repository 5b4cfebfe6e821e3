import tensorflow as tf

w = tf.Variable([0.5, 1.5])
x = tf.constant([[10.0, 20.0], [30.0, 10.0]], tf.float16)
with tf.GradientTape() as tape:
    y = tf.linalg.matvec(x, tf.cast(w, tf.float16))
    loss = tf.reduce_mean(y * y)
    scaled = loss * 1024.0  # cause
print(tape.gradient(scaled, w))
