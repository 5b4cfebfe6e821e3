"""Dueling double DQN with prioritised replay: priorities come from NumPy, some transitions end the episode."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(30)


class Dueling(tf.Module):
    def __init__(self):
        super().__init__()
        self.h = tf.Variable(rng.normal(0, 0.4, (4, 16)).astype("float32"))
        self.v = tf.Variable(rng.normal(0, 0.4, (16, 1)).astype("float32"))
        self.a = tf.Variable(rng.normal(0, 0.4, (16, 3)).astype("float32"))

    def __call__(self, s):
        h = tf.nn.relu(s @ self.h)
        advantage = h @ self.a
        return h @ self.v + advantage - tf.reduce_mean(advantage, axis=1, keepdims=True)


online, target = Dueling(), Dueling()
priorities = np.ones(50)
memory = [
    (rng.normal(size=4), rng.integers(3), rng.normal(), rng.normal(size=4), float(rng.random() < 0.2)) for _ in range(50)
]
for step in range(4):
    p = priorities / priorities.sum()
    index = rng.choice(50, size=16, p=p)
    s, a, r, n, d = (np.array(each) for each in zip(*(memory[i] for i in index)))
    weight = ((50 * p[index]) ** -0.4).astype("float32")
    best = tf.argmax(online(n.astype("float32")), axis=1)
    future = tf.gather(target(n.astype("float32")), best, batch_dims=1)
    goal = r.astype("float32") + 0.99 * (1.0 - d.astype("float32")) * future
    with tf.GradientTape() as tape:
        q = tf.gather(online(s.astype("float32")), a, batch_dims=1)
        error = tf.stop_gradient(goal) - q
        loss = tf.reduce_mean(weight * tf.where(tf.abs(error) < 1.0, 0.5 * error**2, tf.abs(error) - 0.5))
    grads, _ = tf.clip_by_global_norm(tape.gradient(loss, online.trainable_variables), 10.0)
    for v, g in zip(online.trainable_variables, grads):
        v.assign_sub(0.01 * g)
    priorities[index] = np.abs(error.numpy()) + 1e-3
    if step % 2 == 0:
        for t, o in zip(target.trainable_variables, online.trainable_variables):
            t.assign(o)
    print(loss.numpy())
