import tensorflow as tf

x = tf.Variable([0.1, 0.2, 0.7])
with tf.GradientTape() as tape:
    y = tf.nn.softmax(x)
print(tape.jacobian(y, x).numpy())
