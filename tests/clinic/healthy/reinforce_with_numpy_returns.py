import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
w = tf.Variable(rng.normal(size=(3, 2)).astype("float32") * 0.1)


def discount(rewards, gamma=0.95):
    out, running = np.zeros(len(rewards), "float32"), 0.0
    for i in reversed(range(len(rewards))):
        running = rewards[i] + gamma * running
        out[i] = running
    return (out - out.mean()) / (out.std() + 1e-8)


for episode in range(4):
    states, actions, rewards = [], [], []
    s = rng.normal(size=3).astype("float32")
    for t in range(10):
        p = tf.nn.softmax(s[None] @ w).numpy()[0].astype("float64")
        a = rng.choice(2, p=p / p.sum())
        states.append(s); actions.append(a); rewards.append(float(s[0] > 0) if a == 1 else 0.1)
        s = rng.normal(size=3).astype("float32")
    G = discount(rewards)
    with tf.GradientTape() as tape:
        logits = np.stack(states) @ w
        nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.array(actions), logits=logits)
        loss = tf.reduce_mean(nll * G)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
