import numpy as np
import tensorflow as tf

rng = np.random.default_rng(33)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(rng.normal(0, 0.5, size=(3, 8)).astype("float32"), name="w1")
        self.b1 = tf.Variable(tf.zeros([8]), name="b1")
        self.w2 = tf.Variable(rng.uniform(0.5, 1.0, size=(8, 1)).astype("float32"), name="w2")

    def __call__(self, x):
        hidden = tf.nn.relu(x @ self.w1 + self.b1)  # cause
        return hidden @ self.w2


net = Net()
x = rng.normal(size=(30, 3)).astype("float32")
y = np.full((30, 1), -50.0, "float32")
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    for v, g in zip(net.trainable_variables, grads):
        v.assign_sub(0.05 * g)
print("RESULT:", [float(tf.norm(g)) for g in grads])
