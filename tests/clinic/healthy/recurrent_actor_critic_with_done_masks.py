"""A recurrent actor-critic: the state is set to 0 where an episode ends, advantages come from a loop over time."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(63)
T, B, H = 6, 4, 5
p = {
    "cell": tf.Variable(rng.normal(0, 0.3, (3 + H, H)).astype("float32")),
    "pi": tf.Variable(rng.normal(0, 0.3, (H, 2)).astype("float32")),
    "v": tf.Variable(rng.normal(0, 0.3, (H, 1)).astype("float32")),
}
state = tf.zeros((B, H))
for update in range(3):
    obs = rng.normal(size=(T, B, 3)).astype("float32")
    done = (rng.random((T, B)) < 0.2).astype("float32")
    rewards = rng.normal(size=(T, B)).astype("float32")
    acts = rng.integers(0, 2, (T, B))
    with tf.GradientTape() as tape:
        h, logits, values = state, [], []
        for t in range(T):
            h = tf.tanh(tf.concat([obs[t], h], 1) @ p["cell"])
            logits.append(h @ p["pi"])
            values.append(tf.squeeze(h @ p["v"], 1))
            h = h * (1.0 - done[t])[:, None]
        logits, values = tf.stack(logits), tf.stack(values)
        detached, advantage, gae = values.numpy(), np.zeros((T, B), "float32"), np.zeros(B, "float32")
        for t in reversed(range(T)):
            following = detached[t + 1] if t + 1 < T else np.zeros(B, "float32")
            delta = rewards[t] + 0.99 * (1 - done[t]) * following - detached[t]
            gae = delta + 0.99 * 0.95 * (1 - done[t]) * gae
            advantage[t] = gae
        returns = advantage + detached
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=acts, logits=logits)
        q = tf.nn.log_softmax(logits)
        entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(q) * q, -1))
        loss = tf.reduce_mean(ce * advantage) + 0.5 * tf.reduce_mean((values - returns) ** 2) - 0.01 * entropy
    for name, g in tape.gradient(loss, p).items():
        p[name].assign_sub(0.05 * g)
    state = tf.stop_gradient(h)
    print(update, loss.numpy())
