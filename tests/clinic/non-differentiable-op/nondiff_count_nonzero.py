import tensorflow as tf

w = tf.Variable([0.0, 0.5, 0.2])
with tf.GradientTape() as tape:
    l0 = tf.math.count_nonzero(w, dtype=tf.float32)  # cause
    loss = 0.1 * l0
print(tape.gradient(loss, w))
