"""An autoencoder built in a loop from matrices of zeros."""

import tensorflow as tf

sizes = [4, 2, 4]
layers = [tf.Variable(tf.zeros((a, b))) for a, b in zip(sizes[:-1], sizes[1:])]  # cause
x = tf.random.uniform((6, 4), seed=3)


def forward(x):
    for layer in layers:
        x = tf.nn.tanh(x @ layer)
    return x


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(forward(x) - x))
for g in tape.gradient(loss, layers):
    print(g.numpy().sum())
