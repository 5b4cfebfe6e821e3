import tensorflow as tf


class Gated(tf.Module):
    def __init__(self):
        self.gate = tf.Variable(0.2)
        self.w = tf.Variable([[0.5, -0.2], [0.1, 0.9]])

    def __call__(self, x):
        h = x @ self.w
        confidence = float(tf.sigmoid(self.gate * 3.0 - 1.0))
        if confidence > 0.9:  # cause
            return h * self.gate
        return h


net = Gated()
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x) ** 2)
    print(tape.gradient(loss, [net.w, net.gate]))
