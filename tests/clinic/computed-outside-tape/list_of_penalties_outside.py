import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
layers = [tf.Variable(rng.normal(size=(2, 2)).astype("float32")) for _ in range(2)]
x = rng.normal(size=(4, 2)).astype("float32")
penalties = [0.01 * tf.reduce_sum(w**2) for w in layers]  # cause
with tf.GradientTape() as tape:
    h = tf.tanh(x @ layers[0]) @ layers[1]
    loss = tf.reduce_mean(h**2) + sum(penalties)
print(tape.gradient(loss, layers))
