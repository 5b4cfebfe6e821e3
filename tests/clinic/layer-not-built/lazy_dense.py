import numpy as np
import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, units, name=None):
        super().__init__(name=name)
        self.units = units
        self.built = False

    def __call__(self, x):
        if not self.built:
            self.w = tf.Variable(tf.random.normal([x.shape[-1], self.units], stddev=0.1), name="w")
            self.b = tf.Variable(tf.zeros([self.units]), name="b")
            self.built = True
        return x @ self.w + self.b


class MLP(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(8), Dense(1)]

    def __call__(self, x):
        return self.layers[1](tf.nn.relu(self.layers[0](x)))


model = MLP()
params = model.trainable_variables  # cause
x = tf.constant(np.random.default_rng(0).normal(size=(6, 3)).astype("float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
grads = tape.gradient(loss, params)
print("RESULT:", grads)
