import tensorflow as tf

a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
with tf.GradientTape() as tape:
    volume = tf.linalg.logdet(a)  # cause
print(tape.gradient(volume, a))
