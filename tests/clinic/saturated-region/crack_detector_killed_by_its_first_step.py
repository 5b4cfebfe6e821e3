"""A convolution with too large a learning rate: after the first step no relu is active any more."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
images = tf.constant(rng.uniform(0.0, 1.0, size=(6, 8, 8, 1)).astype("float32"))
labels = tf.constant(rng.integers(0, 2, size=(6, 1)).astype("float32"))


class Detector:
    def __init__(self):
        self.kernel = tf.Variable(rng.uniform(0.0, 0.3, (3, 3, 1, 4)).astype("float32"))
        self.bias = tf.Variable(tf.zeros(4))
        self.out = tf.Variable(rng.uniform(0.5, 1.0, (4, 1)).astype("float32"))

    def features(self, x):
        x = tf.nn.conv2d(x, self.kernel, strides=2, padding="VALID")
        x = tf.nn.relu(x + self.bias)  # cause
        return tf.reduce_mean(x, axis=[1, 2])

    def __call__(self, x):
        return self.features(x) @ self.out


detector = Detector()
variables = [detector.kernel, detector.bias, detector.out]
for step in range(8):
    with tf.GradientTape() as tape:
        score = detector(images)
        loss = tf.reduce_mean((score - labels) ** 2)
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(5.0 * g)
    print(step, loss.numpy())
