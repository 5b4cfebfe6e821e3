import io

import numpy as np
import tensorflow as tf

table = np.genfromtxt(io.StringIO("1.0,2.0,3.5\n2.0,0.5,1.5\n0.1,0.3,0.7\n"), delimiter=",")
features, target = table[:, :2], table[:, 2:]


class Linear:
    def __init__(self, n_in, n_out):
        self.w = tf.Variable(tf.random.normal([n_in, n_out]))
        self.b = tf.Variable(tf.zeros([n_out]))

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b  # cause


inputs = tf.convert_to_tensor(features)  # cause
model = Linear(2, 1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(inputs) - target) ** 2)
print("RESULT:", tape.gradient(loss, [model.w, model.b]))
