import tensorflow as tf


class Model:
    def __init__(self):
        self.raw = tf.Variable([0.5, -0.5])
        self.scale = tf.nn.softplus(self.raw)  # cause

    def loss(self, x):
        return tf.reduce_sum((self.scale * x - 1.0) ** 2)


model = Model()
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = model.loss(tf.constant([1.0, 2.0]))
    g = tape.gradient(loss, model.raw)
print(g)
