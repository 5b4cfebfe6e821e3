import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
base = rng.normal(size=(16, 6)).astype("float32")


class Net(tf.Module):
    def __init__(self):
        self.backbone = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"), name="backbone")
        self.predictor = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"), name="predictor")

    def embed(self, x):
        z = tf.nn.tanh(x @ self.backbone)
        return z, z @ self.predictor


def d(p, z):
    p = tf.nn.l2_normalize(p, axis=-1)
    z = tf.nn.l2_normalize(tf.stop_gradient(z), axis=-1)
    return -tf.reduce_mean(tf.reduce_sum(p * z, axis=-1))


net = Net()
for _ in range(5):
    a = base + 0.1 * rng.normal(size=base.shape).astype("float32")
    b = base + 0.1 * rng.normal(size=base.shape).astype("float32")
    with tf.GradientTape() as tape:
        z1, p1 = net.embed(a)
        z2, p2 = net.embed(b)
        loss = 0.5 * d(p1, z2) + 0.5 * d(p2, z1)
    grads = tape.gradient(loss, net.trainable_variables)
    for v, g in zip(net.trainable_variables, grads):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
