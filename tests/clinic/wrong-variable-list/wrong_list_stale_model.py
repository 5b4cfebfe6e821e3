import tensorflow as tf


class Model:
    def __init__(self, name):
        self.w = tf.Variable([1.0, 2.0], name=name + "_w")
        self.b = tf.Variable(0.0, name=name + "_b")

    @property
    def trainable_variables(self):
        return [self.w, self.b]

    def __call__(self, x):
        return tf.reduce_sum(self.w * x) + self.b


model = Model("old")
parameters = model.trainable_variables  # cause
model = Model("new")
with tf.GradientTape() as tape:
    loss = (model(tf.constant([1.0, 1.0])) - 2.0) ** 2
print(tape.gradient(loss, parameters))  # cause
