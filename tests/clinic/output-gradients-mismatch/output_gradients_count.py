import tensorflow as tf

a = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = a * 2.0
    z = a * 3.0
print(tape.gradient([y, z], a, output_gradients=[tf.ones(2)]))  # cause
