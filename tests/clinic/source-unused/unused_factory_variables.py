import tensorflow as tf


def make(name, value):
    return tf.Variable(value, name=name)


mean = make("mean", 0.1)
scale = make("scale", 1.0)  # cause
x = tf.constant([0.2, 0.4])
with tf.GradientTape() as tape:
    nll = tf.reduce_sum((x - mean) ** 2)  # cause
print(tape.gradient(nll, [mean, scale]))  # cause
