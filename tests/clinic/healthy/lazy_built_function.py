import numpy as np
import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.built = False
        self.calls = 0

    @tf.function
    def __call__(self, x):
        if not self.built:
            self.w = tf.Variable(tf.ones([x.shape[-1], self.units]) * 0.1)
            self.built = True
        return tf.nn.tanh(x @ self.w)


layer = Dense(3)
rng = np.random.default_rng(0)
for i in range(4):
    x = tf.constant(rng.normal(size=(5, 2)).astype("float32"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(x) ** 2)
    g = tape.gradient(loss, layer.trainable_variables)
    layer.w.assign_sub(0.1 * g[0])
print("RESULT:", g[0].numpy())
