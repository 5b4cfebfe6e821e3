import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
w = tf.Variable([0.1, 0.2])
built = {}


class Scaler:
    def __init__(self):
        self.ready = False

    @tf.function
    def __call__(self, x):
        if not self.ready:
            self.ready = True
        return w * x


scaler = Scaler()
for _ in range(4):
    batch = tf.constant(rng.normal(size=(3, 2)).astype("float32"))
    with tf.GradientTape() as tape:
        noise = tf.random.normal((3, 2))
        loss = tf.reduce_mean((scaler(batch) + 0.1 * noise - 1.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.shape)
