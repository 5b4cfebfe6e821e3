import tensorflow as tf


def standardise(x):
    x = tf.stop_gradient(x)  # cause
    return (x - tf.reduce_mean(x)) / (tf.math.reduce_std(x) + 1e-6)


w = tf.Variable([[0.3], [0.2]])
x = tf.constant([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(standardise(x @ w) ** 3)
print(tape.gradient(loss, w))
