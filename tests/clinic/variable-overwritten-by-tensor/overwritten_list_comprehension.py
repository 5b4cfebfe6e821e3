import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
weights = [tf.Variable(rng.normal(size=(3, 3)).astype("float32")) for _ in range(2)]
x = rng.normal(size=(4, 3)).astype("float32")


def forward(ws):
    h = x
    for w in ws:
        h = tf.tanh(h @ w)
    return tf.reduce_mean(h ** 2)


for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = forward(weights)
    grads = tape.gradient(loss, weights)
    if grads[0] is not None:
        weights = [w - 0.1 * g for w, g in zip(weights, grads)]  # cause
print(grads)
