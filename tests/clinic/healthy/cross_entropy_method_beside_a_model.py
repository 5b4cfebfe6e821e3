"""Planning by sampling with a learned model: only the model is differentiated, plans come from NumPy."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(95)
model = [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in [(3, 12), (12, 2)]]
states = rng.normal(size=(50, 2)).astype("float32")
actions = rng.uniform(-1, 1, (50, 1)).astype("float32")
following = states + 0.1 * np.concatenate([actions, states[:, :1]], 1)


def predict(s, a):
    return s + tf.nn.relu(tf.concat([s, a], 1) @ model[0]) @ model[1]


def plan(s, horizon=3, samples=20, elite=5):
    mean, std = np.zeros(horizon), np.ones(horizon)
    for _ in range(2):
        candidates = np.clip(rng.normal(mean, std, (samples, horizon)), -1, 1).astype("float32")
        now, cost = np.repeat(s[None], samples, 0), np.zeros(samples)
        for t in range(horizon):
            now = predict(tf.constant(now), tf.constant(candidates[:, t : t + 1])).numpy()
            cost += (now**2).sum(1)
        best = candidates[np.argsort(cost)[:elite]]
        mean, std = best.mean(0), best.std(0) + 1e-3
    return float(mean[0])


for epoch in range(3):
    index = rng.choice(50, 25, replace=False)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((predict(states[index], actions[index]) - following[index]) ** 2)
    for v, g in zip(model, tape.gradient(loss, model)):
        v.assign_sub(0.1 * g)
    print(epoch, loss.numpy(), plan(states[0]))
