import tensorflow as tf


class Cell:
    def __init__(self, n):
        self.w = tf.Variable(tf.ones([n, n]) * 0.1)
        self.h = tf.Variable(tf.zeros([1, n]), trainable=False)

    def step(self, x):
        self.h.assign(tf.tanh(x + self.h @ self.w))  # cause
        return self.h.read_value()  # cause


cell = Cell(2)
with tf.GradientTape() as tape:
    for t in range(3):
        out = cell.step(tf.ones([1, 2]) * 0.1)
    loss = tf.reduce_sum(out ** 2)
print(tape.gradient(loss, [cell.w]))
