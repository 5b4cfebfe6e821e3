"""Online Q-learning opens one persistent tape around the whole episode, and asks it after each step."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(44)
Q = {"w": tf.Variable(rng.normal(0, 0.3, (4, 2)).astype("float32")), "b": tf.Variable(tf.zeros(2))}


def q_values(state):
    return tf.reshape(state, (1, 4)) @ Q["w"] + Q["b"]


def env(state, action):
    following = 0.9 * state + 0.1 * (1 if action else -1)
    return following.astype("float32"), float(following.sum())


state = rng.normal(size=4).astype("float32")
with tf.GradientTape(persistent=True) as tape:
    for t in range(60):
        q = q_values(tf.constant(state))
        action = int(tf.argmax(q[0])) if rng.random() > 0.2 else int(rng.integers(2))
        following, reward = env(state, action)
        goal = reward + 0.95 * tf.reduce_max(q_values(tf.constant(following)))
        loss = (tf.stop_gradient(goal) - q[0, action]) ** 2
        grads = tape.gradient(loss, Q)  # cause
        for name in Q:
            Q[name].assign_sub(0.01 * grads[name])
        state = following
print(loss.numpy())
