"""DDPG: the soft update replaces the critic's variables by tensors."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)


class Net:
    def __init__(self, sizes):
        self.w = [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for w in self.w[:-1]:
            x = tf.nn.tanh(x @ w)
        return x @ self.w[-1]


critic, target = Net([5, 8, 1]), Net([5, 8, 1])


def blend(first, second, tau):
    mixed = []
    for a, b in zip(first.w, second.w):
        mixed.append((1.0 - tau) * a + tau * b)  # cause
    return mixed


def update(states, rewards, following):
    backup = rewards + 0.99 * target(following)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((critic(states) - tf.stop_gradient(backup)) ** 2)
    grads = tape.gradient(loss, critic.w)
    if None in grads:
        return loss
    for w, g in zip(critic.w, grads):
        w.assign_sub(0.01 * g)
    return loss


for i in range(3):
    s, n = (tf.constant(rng.normal(size=(6, 5)).astype("float32")) for _ in range(2))
    r = tf.constant(rng.normal(size=(6, 1)).astype("float32"))
    print(update(s, r, n).numpy())
    critic.w = blend(critic, target, 0.05)
