import tensorflow as tf

w = tf.constant([[0.3, -0.2, 0.5], [0.1, 0.8, -0.4]])
x = tf.Variable([[1.0, 2.0]])
with tf.GradientTape() as tape:
    percent = 100.0 * tf.nn.softmax(tf.matmul(x, w))  # cause
print(tape.gradient(percent, x).numpy())  # cause
