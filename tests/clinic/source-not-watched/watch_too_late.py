import tensorflow as tf

x = tf.constant(2.0)
with tf.GradientTape() as tape:
    y = x ** 3  # cause
    tape.watch(x)  # cause
print(tape.gradient(y, x))
