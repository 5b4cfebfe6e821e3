import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
tf.random.set_seed(0)


class Net:
    def __init__(self, sizes):
        self.weights = [tf.Variable(rng.normal(0, 0.4, size=s).astype("float32")) for s in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for w in self.weights[:-1]:
            x = tf.nn.leaky_relu(x @ w)
        return x @ self.weights[-1]


g, d = Net([2, 8, 3]), Net([3, 8, 1])
bce = tf.nn.sigmoid_cross_entropy_with_logits
for step in range(2):
    real = rng.normal(size=(6, 3)).astype("float32")
    noise = tf.random.normal([6, 2])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = g(noise)
        d_fake, d_real = d(fake), d(real)
        g_loss = tf.reduce_mean(bce(labels=tf.ones_like(d_fake), logits=d_fake))
        d_loss = tf.reduce_mean(bce(labels=tf.ones_like(d_real), logits=d_real)) + tf.reduce_mean(
            bce(labels=tf.zeros_like(d_fake), logits=d_fake)
        )
    for net, tape, loss in ((g, g_tape, g_loss), (d, d_tape, d_loss)):
        for v, grad in zip(net.weights, tape.gradient(loss, net.weights)):
            v.assign_sub(0.05 * grad)
print(float(g_loss), float(d_loss))
