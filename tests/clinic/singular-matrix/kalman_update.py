import numpy as np
import tensorflow as tf


class KalmanFilter:
    def __init__(self):
        self.F = tf.constant([[1.0, 0.1], [0.0, 1.0]])
        self.H = tf.constant([[1.0, 0.0], [1.0, 0.0]])
        self.q = tf.Variable(0.05)
        self.r = tf.Variable(0.0)

    def predict(self, x, P):
        return self.F @ x, self.F @ P @ tf.transpose(self.F) + self.q * tf.eye(2)

    def update(self, x, P, z):
        S = self.H @ P @ tf.transpose(self.H) + self.r * tf.eye(2)  # cause
        K = P @ tf.transpose(self.H) @ tf.linalg.inv(S)  # cause
        return x + K @ (z - self.H @ x), (tf.eye(2) - K @ self.H) @ P


kf = KalmanFilter()
rng = np.random.default_rng(3)
measurements = rng.normal(size=(5, 2, 1)).astype("float32")
with tf.GradientTape() as tape:
    x, P = tf.zeros([2, 1]), tf.eye(2)
    loss = 0.0
    for z in measurements:
        x, P = kf.predict(x, P)
        x, P = kf.update(x, P, z)
        loss += tf.reduce_sum((z - kf.H @ x) ** 2)
print("RESULT:", tape.gradient(loss, kf.q))
