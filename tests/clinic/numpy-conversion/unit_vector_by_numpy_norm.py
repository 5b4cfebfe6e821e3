import numpy as np
import tensorflow as tf

goal = tf.constant([0.6, 0.8])


class Direction:
    def __init__(self):
        self.v = tf.Variable([1.0, 2.0])

    def unit(self):
        length = np.linalg.norm(self.v)  # cause
        return self.v / length

    def step(self, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((self.unit() - goal) ** 2)
        self.v.assign_sub(rate * tape.gradient(loss, self.v))
        return loss


direction = Direction()
for _ in range(4):
    print(float(direction.step(0.2)))
