import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)


def init(*shape):
    return tf.Variable(rng.normal(0, 0.3, size=shape).astype("float32"))


net = {
    "body": init(4, 8),
    "value": init(8, 1),  # cause
    "advantage": init(8, 3),
}


def q_values(params, s):
    h = tf.nn.relu(s @ params["body"])
    value = h @ params["value"]  # cause
    advantage = h @ params["advantage"]
    return advantage - tf.reduce_mean(advantage, axis=1, keepdims=True)  # cause


states = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
actions = tf.constant([0, 2, 1, 1, 0, 2])
targets = tf.constant(rng.normal(size=6).astype("float32"))
with tf.GradientTape() as tape:
    q = tf.gather(q_values(net, states), actions, batch_dims=1)
    loss = tf.reduce_mean((q - targets) ** 2)
grads = tape.gradient(loss, net)
print("RESULT:", {k: g is None for k, g in grads.items()})
