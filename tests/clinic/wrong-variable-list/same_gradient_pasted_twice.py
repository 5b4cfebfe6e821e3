import tensorflow as tf


class TwoLayers(tf.Module):
    def __init__(self):
        self.first = tf.Variable([[0.4, -0.3], [0.2, 0.8]])
        self.second = tf.Variable([[0.5, 0.1], [-0.6, 0.3]])

    def __call__(self, x):
        return tf.tanh(x @ self.first) @ self.second


net = TwoLayers()
x = tf.constant([[1.0, 0.5], [-0.2, 0.7]])
y = tf.constant([[0.1, 0.4], [0.3, -0.2]])


@tf.function
def train_step(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    g1, g2 = tape.gradient(loss, (net.first, net.second))
    net.first.assign_sub(rate * g1)
    net.second.assign_sub(rate * g1)  # cause
    return loss


for _ in range(3):
    print(float(train_step(tf.constant(0.1))))
