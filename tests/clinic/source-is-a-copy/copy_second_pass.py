import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)


class Net:
    def __init__(self):
        self.w1 = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
        self.w2 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))

    def features(self, x):
        return tf.tanh(tf.matmul(x, self.w1))

    def predict(self, x):
        return tf.matmul(self.features(x), self.w2)


net = Net()
x = tf.constant(rng.normal(size=(2, 3)).astype("float32"))
with tf.GradientTape() as tape:
    hidden = net.features(x)  # cause
    out = net.predict(x)  # cause
saliency = tape.gradient(out, hidden)  # cause
print(saliency)
