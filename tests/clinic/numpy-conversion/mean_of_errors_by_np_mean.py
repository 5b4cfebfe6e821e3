import numpy as np
import tensorflow as tf

class Regressor:
    def __init__(self):
        self.w = tf.Variable([[0.3], [0.1]])
        self.b = tf.Variable([0.0])

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b

    def loss(self, x, y):
        err = self(x) - y
        return np.mean(err ** 2)  # cause

model = Regressor()
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as tape:
    loss = tf.convert_to_tensor(model.loss(x, y))
grads = tape.gradient(loss, [model.w, model.b])
print(grads)
