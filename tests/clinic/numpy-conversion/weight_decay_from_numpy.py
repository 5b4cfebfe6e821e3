import numpy as np
import tensorflow as tf
from dataclasses import dataclass, field


@dataclass
class Params:
    w: tf.Variable = field(default_factory=lambda: tf.Variable(np.linspace(-1, 1, 6).reshape(3, 2).astype("float32")))
    b: tf.Variable = field(default_factory=lambda: tf.Variable(tf.zeros([2])))

    def l2(self):
        return 0.05 * np.sum(np.square(self.w))  # cause


rng = np.random.default_rng(1)
x, y = rng.normal(size=(8, 3)).astype("float32"), rng.normal(size=(8, 2)).astype("float32")
p = Params()
with tf.GradientTape() as tape:
    out = x @ p.w + p.b
    loss = tf.reduce_mean(tf.square(out - y)) + p.l2()
gw, gb = tape.gradient(loss, [p.w, p.b])
print("RESULT:", gw.numpy())
