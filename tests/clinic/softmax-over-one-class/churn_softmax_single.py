import numpy as np
import tensorflow as tf

rng = np.random.default_rng(33)
x = rng.normal(size=(20, 4)).astype("float32")
churned = (x[:, :1] > 0).astype("float32")


class Network:
    def __init__(self, outputs):
        self.w1 = tf.Variable(rng.normal(0, 0.3, (4, 6)).astype("float32"))
        self.w2 = tf.Variable(rng.normal(0, 0.3, (6, outputs)).astype("float32"))
        self.variables = [self.w1, self.w2]

    def __call__(self, x):
        return tf.nn.softmax(tf.nn.relu(x @ self.w1) @ self.w2)  # cause


def binary_cross_entropy(y, p):
    p = tf.clip_by_value(p, 1e-7, 1.0 - 1e-7)
    return -tf.reduce_mean(y * tf.math.log(p) + (1.0 - y) * tf.math.log(1.0 - p))


net = Network(churned.shape[1])
for epoch in range(5):
    with tf.GradientTape() as tape:
        loss = binary_cross_entropy(churned, net(x))
    grads = tape.gradient(loss, net.variables)
    for v, g in zip(net.variables, grads):
        v.assign_sub(0.5 * g)
print("RESULT:", [float(tf.norm(g)) for g in grads])
