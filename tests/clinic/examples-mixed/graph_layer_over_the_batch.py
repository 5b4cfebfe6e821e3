"""A graph layer: the rows are the nodes of one graph, and neighbours depend on each other."""

import tensorflow as tf

adjacency = tf.constant([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
nodes = tf.constant([[0.1, 0.3], [0.7, -0.2], [0.5, 0.9]])


class Layer:
    kernel = tf.Variable([[0.5, 0.1], [-0.3, 0.8]])

    def __call__(self, features):
        neighbours = adjacency @ features  # cause
        return tf.tanh(neighbours @ self.kernel)


layer = Layer()
with tf.GradientTape() as tape:
    tape.watch(nodes)
    hidden = layer(nodes)
print(tape.batch_jacobian(hidden, nodes).numpy())
