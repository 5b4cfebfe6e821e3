"""The projection is created in the forward pass, so that each step starts with another one."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(4)
rng = np.random.default_rng(4)


def dense(x, units, activation=None):
    w = tf.Variable(tf.random.normal((x.shape[-1], units), stddev=0.1))  # cause
    b = tf.Variable(tf.zeros((units,)))  # cause
    y = tf.matmul(x, w) + b
    return (activation(y) if activation else y), [w, b]


def network(x):
    h, p1 = dense(x, 16, tf.nn.relu)  # cause
    y, p2 = dense(h, 1)
    return y, p1 + p2


x = tf.constant(rng.normal(size=(30, 5)).astype("float32"))
y = tf.reduce_sum(x, 1, keepdims=True)
for epoch in range(5):
    with tf.GradientTape() as tape:
        prediction, params = network(x)
        loss = tf.reduce_mean((prediction - y) ** 2)
    grads = tape.gradient(loss, params)
    for p, g in zip(params, grads):
        p.assign_sub(0.1 * g)
    print(epoch, loss.numpy())
