import numpy as np
import tensorflow as tf


def make_variable(shape, trainable=False, name=None):
    value = np.random.default_rng(13).normal(size=shape).astype("float32")
    return tf.Variable(value, trainable=trainable, name=name)  # cause


class Student:
    def __init__(self):
        self.w = make_variable((3, 1), name="student_w")  # cause

    def __call__(self, x):
        return x @ self.w


student = Student()
x, y = tf.ones([4, 3]), tf.zeros([4, 1])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((student(x) - y) ** 2)
    return loss, tape.gradient(loss, student.w)


loss, grad = step()
print("RESULT:", grad)
