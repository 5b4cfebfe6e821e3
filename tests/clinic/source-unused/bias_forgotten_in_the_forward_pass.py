"""A learner's network class creates a second bias and never adds it."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
x = tf.constant(rng.normal(size=(50, 4)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 50))


class Net:
    def __init__(self):
        g = tf.random.Generator.from_seed(1)
        self.w1 = tf.Variable(g.normal([4, 8], stddev=0.3))
        self.b1 = tf.Variable(tf.zeros([8]))
        self.w2 = tf.Variable(g.normal([8, 3], stddev=0.3))
        self.b2 = tf.Variable(tf.zeros([3]))  # cause
        self.params = [self.w1, self.b1, self.w2, self.b2]

    def forward(self, inputs):
        hidden = tf.nn.relu(inputs @ self.w1 + self.b1)
        return hidden @ self.w2


net = Net()
for epoch in range(3):
    with tf.GradientTape() as tape:
        logits = net.forward(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    grads = tape.gradient(loss, net.params)  # cause
    for p, g in zip(net.params, grads):
        if g is not None:
            p.assign_sub(0.1 * g)
    print(epoch, float(loss), [g is None for g in grads])
