import numpy as np
import tensorflow as tf


class AgeModel(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.stateless_normal([10, 3], seed=[0, 1]))
        self.width = tf.Variable(10.0)
        self.out = tf.Variable(tf.ones([3, 1]))

    def bucket(self, age):
        return tf.cast(age / self.width, tf.int64)  # cause

    def __call__(self, age):
        return tf.gather(self.table, self.bucket(age)) @ self.out


ages = tf.constant([23.0, 45.0, 67.0, 12.0])
y = tf.constant(np.array([[1.0], [0.5], [0.2], [1.5]], "float32"))
model = AgeModel()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(ages) - y) ** 2)
d = tape.gradient(loss, [model.width, model.out])
print("RESULT:", d[0])
