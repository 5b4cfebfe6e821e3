"""A volume penalty: the determinant of a matrix that starts with equal rows."""

import tensorflow as tf


class Deformation:
    def __init__(self):
        self.matrix = tf.Variable(tf.ones((3, 3)))

    def volume(self):
        return tf.linalg.det(self.matrix)  # cause


body = Deformation()
for step in range(3):
    with tf.GradientTape() as tape:
        loss = (body.volume() - 1.0) ** 2 + 0.1 * tf.reduce_sum(body.matrix**2)
    body.matrix.assign_sub(0.1 * tape.gradient(loss, body.matrix))
