import tensorflow as tf


class Model:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])

    def loss(self, x):
        predicted = tf.reduce_sum(self.w * x)
        error = (predicted - 1.0) ** 2  # cause


model = Model()
with tf.GradientTape() as tape:
    value = model.loss(tf.constant([1.0, 1.0]))  # cause
grads = tape.gradient(value, model.w)  # cause
print(grads)
