import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)


class QNet(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(rng.normal(0, 0.3, (4, 8)).astype("float32"))
        self.w2 = tf.Variable(rng.normal(0, 0.3, (8, 2)).astype("float32"))

    def __call__(self, s):
        return tf.nn.relu(s @ self.w1) @ self.w2


def sync(source, target):
    for s, t in zip(source.trainable_variables, target.trainable_variables):
        t.assign(s)


online, target = QNet(), QNet()
sync(online, target)
for step in range(3):
    states = rng.normal(size=(6, 4)).astype("float32")
    rewards = rng.normal(size=(6,)).astype("float32")
    with tf.GradientTape() as tape:
        q = tf.reduce_max(target(states), axis=1)
        loss = tf.reduce_mean((q - rewards) ** 2)
    grads = tape.gradient(loss, online.trainable_variables)  # cause
print("RESULT:", grads)
