import tensorflow as tf


class Model:
    def __init__(self):
        self.layers = {"first": tf.Variable([1.0, 2.0]), "second": tf.Variable([0.5, 0.5])}  # cause

    def __call__(self, x):
        return x * self.layers["first"] + self.layers["second"]

    @property
    def variables(self):
        return [v for v in vars(self).values() if isinstance(v, tf.Variable)]  # cause


model = Model()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.constant([1.0, 2.0])) ** 2)
grads = tape.gradient(loss, model.variables)  # cause
print(grads)
