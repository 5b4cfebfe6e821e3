import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        self.w, self.b = tf.Variable([[1.0], [2.0]]), tf.Variable([0.0])

    def __call__(self, x):
        return x @ self.w + self.b


model, best = Line(), Line()
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((best(x) - 1.0) ** 2)
    variables = model.trainable_variables
    grads = tape.gradient(loss, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)  # cause
    for g, v in zip(grads, variables):
        v.assign_sub(0.1 * g)
print(model.w.numpy())
