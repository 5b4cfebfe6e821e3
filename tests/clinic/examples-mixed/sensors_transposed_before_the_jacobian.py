"""Three sensors read at three places: their outputs are transposed, so that the first axis no longer counts the places."""

import tensorflow as tf

tf.random.set_seed(1)
mixing = tf.Variable(tf.random.normal((3, 3)))


class Array(tf.Module):
    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        return tf.tanh(x @ self.weights)

    def by_sensor(self, x):
        return tf.transpose(self(x))  # cause


def sensitivities(array, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        signal = array.by_sensor(x)
    return tape.batch_jacobian(signal, x)


readings = tf.random.normal((3, 3))
print(sensitivities(Array(mixing), readings).numpy().round(2))
