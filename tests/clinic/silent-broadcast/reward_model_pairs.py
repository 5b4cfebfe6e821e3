import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)


class RewardModel(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))

    def __call__(self, x):
        return x @ self.w


model = RewardModel()
chosen, rejected = (tf.constant(rng.normal(size=(8, 5)).astype("float32")) for _ in range(2))
margin = tf.constant(rng.random(8).astype("float32"))
with tf.GradientTape() as tape:
    gap = model(chosen) - model(rejected)
    loss = -tf.reduce_mean(tf.math.log_sigmoid(gap - margin))  # cause
print("RESULT:", tape.gradient(loss, model.w).numpy().ravel())
