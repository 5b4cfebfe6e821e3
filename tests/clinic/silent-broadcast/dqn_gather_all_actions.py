import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)


class QNet(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(rng.normal(size=(4, 16)).astype("float32") * 0.3)
        self.w2 = tf.Variable(rng.normal(size=(16, 2)).astype("float32") * 0.3)

    def __call__(self, s):
        return tf.nn.relu(s @ self.w1) @ self.w2


def td_loss(net, target_net, batch, gamma=0.99):
    s, a, r, s2, done = batch
    q = tf.gather(net(s), a, axis=1)  # cause
    best = tf.reduce_max(target_net(s2), axis=1)
    target = r + gamma * (1.0 - done) * tf.stop_gradient(best)
    return tf.reduce_mean((q - target) ** 2)


net, frozen = QNet(), QNet()
batch = (
    tf.constant(rng.normal(size=(7, 4)).astype("float32")),
    tf.constant(rng.integers(0, 2, size=7)),
    tf.constant(rng.normal(size=7).astype("float32")),
    tf.constant(rng.normal(size=(7, 4)).astype("float32")),
    tf.zeros([7]),
)
with tf.GradientTape() as tape:
    loss = td_loss(net, frozen, batch)
print("RESULT:", [tf.norm(g).numpy() for g in tape.gradient(loss, net.trainable_variables)])
