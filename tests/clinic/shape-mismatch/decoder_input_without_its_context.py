"""The decoder's cell was sized for the input and the state, and is given the context as well."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(111)
E, H = 3, 5
enc = tf.Variable(rng.normal(0, 0.3, (E + H, H)).astype("float32"))
dec = tf.Variable(rng.normal(0, 0.3, (E + H, H)).astype("float32"))
x = tf.constant(rng.normal(size=(2, 4, E)).astype("float32"))


def encode(x):
    h, states = tf.zeros((len(x), H)), []
    for t in range(x.shape[1]):
        h = tf.tanh(tf.concat([x[:, t], h], 1) @ enc)
        states.append(h)
    return tf.stack(states, 1), h


def decode(x, states, h):
    for t in range(x.shape[1]):
        a = tf.nn.softmax(tf.einsum("bh,bth->bt", h, states))
        context = tf.einsum("bt,bth->bh", a, states)
        h = tf.tanh(tf.concat([x[:, t], context, h], axis=1) @ dec)  # cause
    return h


with tf.GradientTape() as tape:
    states, h = encode(x)
    loss = tf.reduce_mean(decode(x, states, h) ** 2)
print(tape.gradient(loss, [enc, dec]))
