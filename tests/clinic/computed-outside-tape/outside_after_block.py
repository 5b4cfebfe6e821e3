import tensorflow as tf

theta = tf.Variable([0.3, -0.2, 0.8])
data = tf.constant([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    predicted = theta * data

residual = predicted - 1.0  # cause
loss = tf.reduce_mean(residual ** 2)  # cause
print(tape.gradient(loss, theta))
