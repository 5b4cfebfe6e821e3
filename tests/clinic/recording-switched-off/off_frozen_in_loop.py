import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
layers = []
for i, (n, m) in enumerate([(3, 4), (4, 4), (4, 1)]):
    layers.append(tf.Variable(rng.normal(size=(n, m)).astype("float32"), trainable=i > 0))  # cause

x = rng.normal(size=(5, 3)).astype("float32")
with tf.GradientTape() as tape:
    h = x
    for w in layers:
        h = tf.tanh(h @ w)
    loss = tf.reduce_mean(h ** 2)
print([g is None for g in tape.gradient(loss, layers)])  # cause
