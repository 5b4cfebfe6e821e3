import tensorflow as tf


class Module:
    def __init__(self):
        self._parameters = []

    def add(self, value):
        variable = tf.Variable(value)
        self._parameters.append(variable)
        return variable


class Linear(Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([0.3, 0.4])  # cause

    def __call__(self, x):
        return tf.reduce_sum(self.w * x)


net = Linear()
with tf.GradientTape() as tape:
    loss = (net(tf.constant([1.0, 2.0])) - 3.0) ** 2
print(tape.gradient(loss, net._parameters))  # cause
