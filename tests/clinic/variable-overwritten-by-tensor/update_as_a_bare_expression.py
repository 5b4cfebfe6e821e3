import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        self.slope = tf.Variable(tf.ones([2, 1]))
        self.offset = tf.Variable([0.0])

    def __call__(self, x):
        return x @ self.slope + self.offset


def fit(model, x, y, rate=0.1):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    variables = model.trainable_variables
    grads = tape.gradient(loss, variables)
    for i in range(len(variables)):
        variables[i] - rate * grads[i]  # cause
    return loss


model = Line()
x = tf.constant([[1.0, 2.0], [2.0, 1.0], [0.0, 1.0]])
y = tf.constant([[1.0], [0.0], [1.0]])
for _ in range(3):
    print(fit(model, x, y).numpy())
