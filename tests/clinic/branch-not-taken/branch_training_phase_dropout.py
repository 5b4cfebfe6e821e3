import numpy as np
import tensorflow as tf

params = [tf.Variable(0.3), tf.Variable(0.7)]


def model(x, training=False):
    y = params[0] * x
    if training:  # cause
        y = y + params[1] * tf.random.normal(x.shape)  # cause
    return y


x = tf.constant(np.linspace(0, 1, 4).astype("float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
print(tape.gradient(loss, params))
