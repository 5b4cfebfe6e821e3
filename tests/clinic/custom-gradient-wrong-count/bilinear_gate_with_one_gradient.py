"""An op of a gate and a value whose gradient function only thinks of the value."""
import tensorflow as tf

tf.random.set_seed(11)


@tf.custom_gradient
def gated(gate, value):
    s = tf.sigmoid(gate)

    def grad(upstream):
        return upstream * s  # cause

    return s * value, grad


class Highway(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.wg = tf.Variable(tf.random.normal((width, width), stddev=0.3))
        self.wv = tf.Variable(tf.random.normal((width, width), stddev=0.3))

    def __call__(self, x):
        return x + gated(x @ self.wg, tf.nn.relu(x @ self.wv))


stack = [Highway(4) for _ in range(2)]
x = tf.random.normal((7, 4))
with tf.GradientTape() as tape:
    h = x
    for layer in stack:
        h = layer(h)
    loss = tf.reduce_mean(h ** 2)
variables = [v for layer in stack for v in layer.trainable_variables]
grads = tape.gradient(loss, variables)
for v, g in zip(variables, grads):
    v.assign_sub(0.1 * g)
