import tensorflow as tf


class Stack:
    def __init__(self, sizes):
        self.layers = [{"w": tf.Variable(tf.ones([a, b]) * 0.1)} for a, b in zip(sizes, sizes[1:])]  # cause

    def parameters(self):
        return [v for layer in self.layers for v in layer if isinstance(v, tf.Variable)]  # cause

    def __call__(self, x):
        for layer in self.layers:
            x = tf.tanh(x @ layer["w"])
        return x


stack = Stack([3, 4, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(stack(tf.ones([2, 3])) ** 2)
params = stack.parameters()  # cause
print(tape.gradient(loss, params))  # cause
