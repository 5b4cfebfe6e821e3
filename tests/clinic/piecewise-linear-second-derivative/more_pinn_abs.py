import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
weights = [tf.Variable(rng.normal(size=s).astype("float32")) for s in [(1, 10), (10, 10), (10, 1)]]

def net(x):
    h = x
    for w in weights[:-1]:
        h = tf.nn.relu(h @ w)  # cause
    return h @ weights[-1]

x = tf.Variable(np.linspace(0.1, 1, 8).reshape(-1, 1).astype("float32"))
with tf.GradientTape(persistent=True) as tape:
    with tf.GradientTape() as inner:
        u = net(x)
    du = inner.gradient(u, x)
d2u = tape.gradient(du, x)
print(d2u.numpy().ravel())
