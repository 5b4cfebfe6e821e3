import collections
import random

import numpy as np
import tensorflow as tf

random.seed(0)
rng = np.random.default_rng(0)
GAMMA, ACTIONS, STATES = 0.95, 3, 4


class QNet:
    def __init__(self, seed):
        r = np.random.default_rng(seed)
        self.w1 = tf.Variable(r.normal(0, 0.5, (STATES, 8)).astype(np.float32))
        self.b1 = tf.Variable(np.zeros(8, np.float32))
        self.w2 = tf.Variable(r.normal(0, 0.5, (8, ACTIONS)).astype(np.float32))
        self.b2 = tf.Variable(np.zeros(ACTIONS, np.float32))

    @property
    def variables(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, s):
        h = tf.nn.relu(tf.matmul(s, self.w1) + self.b1)
        return tf.matmul(h, self.w2) + self.b2


online, target = QNet(1), QNet(2)
for a, b in zip(target.variables, online.variables):
    a.assign(b)
memory = collections.deque(maxlen=100)
state = rng.normal(size=STATES).astype(np.float32)
for t in range(40):
    q = online(state[None])
    action = int(tf.argmax(q[0])) if random.random() > 0.2 else random.randrange(ACTIONS)
    nxt = rng.normal(size=STATES).astype(np.float32)
    memory.append((state, action, float(nxt[action]), nxt, t % 10 == 9))
    state = nxt
    if len(memory) < 16:
        continue
    batch = random.sample(memory, 8)
    s, a, r, n, done = (np.array(col) for col in zip(*batch))
    best = tf.argmax(online(n), axis=1)
    next_q = tf.reduce_sum(target(n) * tf.one_hot(best, ACTIONS), axis=1)
    goal = tf.cast(r, tf.float32) + GAMMA * next_q * (1.0 - tf.cast(done, tf.float32))
    with tf.GradientTape() as tape:
        chosen = tf.gather(online(s), a, axis=1, batch_dims=1)
        error = chosen - tf.stop_gradient(goal)
        huber = tf.where(tf.abs(error) < 1.0, 0.5 * error ** 2, tf.abs(error) - 0.5)
        loss = tf.reduce_mean(huber)
    grads = tape.gradient(loss, online.variables)
    grads = [tf.clip_by_norm(g, 5.0) for g in grads]
    for v, g in zip(online.variables, grads):
        v.assign_sub(0.05 * g)
    if t % 8 == 0:
        for dst, src in zip(target.variables, online.variables):
            dst.assign(0.9 * dst + 0.1 * src)
print("RESULT: loss", loss.numpy())
