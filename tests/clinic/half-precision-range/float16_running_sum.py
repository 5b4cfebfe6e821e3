import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
w = tf.Variable(rng.normal(0, 0.5, (8, 1)).astype("float32"))
x = rng.uniform(0, 40, (64, 8)).astype("float32")
y = (x.sum(axis=1, keepdims=True)).astype("float32")


class MixedModel:
    def forward(self, x):
        return tf.cast(tf.cast(x, tf.float16) @ tf.cast(w, tf.float16), tf.float16)

    def loss(self, x, y):
        error = self.forward(x) - tf.cast(y, tf.float16)
        return tf.reduce_sum(error * error)  # cause


model = MixedModel()
for step in range(2):
    with tf.GradientTape() as tape:
        loss = model.loss(x, y)
    grad = tape.gradient(loss, w)
    w.assign_sub(1e-6 * tf.cast(grad, tf.float32))
print("RESULT:", loss.numpy(), grad.numpy().ravel())
