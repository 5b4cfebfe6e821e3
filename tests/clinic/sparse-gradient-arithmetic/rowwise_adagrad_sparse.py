import numpy as np
import tensorflow as tf

rng = np.random.default_rng(37)
table = tf.Variable(rng.normal(size=(10, 4)).astype("float32"))
accumulator = tf.Variable(tf.zeros([10, 4]))
ids = tf.constant([1, 3, 3])


class Adagrad:
    def __init__(self, lr):
        self.lr = lr

    def apply(self, grad, variable):
        accumulator.assign_add(grad ** 2)  # cause
        variable.assign_sub(self.lr * grad / (tf.sqrt(accumulator) + 1e-7))


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
grad = tape.gradient(loss, table)
Adagrad(0.1).apply(grad, table)
print("RESULT:", table.numpy()[1])
