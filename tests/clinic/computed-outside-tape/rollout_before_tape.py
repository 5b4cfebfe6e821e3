import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
policy = tf.Variable(rng.normal(0, 0.3, (3, 2)).astype("float32"))


def run_episode():
    log_probs, rewards = [], []
    state = np.ones(3, dtype="float32")
    for t in range(4):
        logp = tf.nn.log_softmax(state[None] @ policy)
        action = int(rng.integers(0, 2))
        log_probs.append(logp[0, action])  # cause
        rewards.append(1.0 if action else -0.5)
        state = rng.normal(size=3).astype("float32")
    return tf.stack(log_probs), np.array(rewards, dtype="float32")  # cause


for episode in range(3):
    log_probs, rewards = run_episode()  # cause
    returns = rewards[::-1].cumsum()[::-1].copy()
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(log_probs * returns)
    grad = tape.gradient(loss, policy)
print("RESULT:", grad)
