import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.uniform(0, 1, size=(40, 2)).astype("float32")
y = (-3.0 - x[:, :1]).astype("float32")


class Dense:
    def __init__(self, n_in, n_out):
        self.w = tf.Variable(rng.normal(size=(n_in, n_out), scale=0.2).astype("float32"))
        self.b = tf.Variable(np.zeros(n_out, "float32"))

    def forward(self, x):
        return tf.maximum(0.0, x @ self.w + self.b)  # cause


layers = [Dense(2, 6), Dense(6, 1)]
params = [p for layer in layers for p in (layer.w, layer.b)]
for epoch in range(60):
    with tf.GradientTape() as tape:
        h = x
        for layer in layers:
            h = layer.forward(h)
        loss = tf.reduce_mean(tf.square(h - y))
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(0.1 * g)
print("loss", float(loss))
