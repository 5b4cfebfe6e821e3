import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = float(tf.reduce_sum(w ** 2))  # cause
print(tape.gradient(loss, w))  # cause
