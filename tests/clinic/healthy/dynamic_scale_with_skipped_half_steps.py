"""Dynamic loss scaling: the first scale overflows float16 on purpose, and that step is skipped."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
x = tf.constant(rng.normal(size=(20, 4)).astype("float16"))
y = tf.constant(rng.normal(size=(20, 1)).astype("float16"))
w = tf.Variable(rng.normal(0, 0.5, (4, 1)).astype("float32"))


class DynamicScale:
    def __init__(self, initial):
        self.scale, self.good = initial, 0

    def update(self, finite):
        if finite:
            self.good += 1
            if self.good == 2:
                self.scale, self.good = self.scale * 2, 0
        else:
            self.scale, self.good = self.scale / 2, 0


scaler = DynamicScale(2.0**15)
for step in range(8):
    with tf.GradientTape() as tape:
        error = x @ tf.cast(w, tf.float16) - y
        loss = tf.reduce_mean(error**2)
        scaled = tf.cast(loss, tf.float32) * scaler.scale
    gradient = tape.gradient(scaled, w) / scaler.scale
    finite = bool(tf.reduce_all(tf.math.is_finite(gradient)))
    if finite:
        w.assign_sub(0.1 * gradient)
    scaler.update(finite)
    print(step, loss.numpy(), scaler.scale)
