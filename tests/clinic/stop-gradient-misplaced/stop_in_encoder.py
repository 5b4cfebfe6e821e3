import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
enc = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
dec = tf.Variable(rng.normal(size=(2, 4)).astype("float32"))


def encode(x):
    return tf.stop_gradient(tf.tanh(x @ enc))  # cause


x = rng.normal(size=(3, 4)).astype("float32")
with tf.GradientTape() as tape:
    rebuilt = encode(x) @ dec
    loss = tf.reduce_mean((rebuilt - x) ** 2)
print(tape.gradient(loss, [enc, dec]))
