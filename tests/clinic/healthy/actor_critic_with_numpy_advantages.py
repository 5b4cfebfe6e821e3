import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
shared = tf.Variable(rng.normal(0, 0.3, (4, 6)).astype("float32"))
actor = tf.Variable(rng.normal(0, 0.3, (6, 2)).astype("float32"))
critic = tf.Variable(rng.normal(0, 0.3, (6, 1)).astype("float32"))
for episode in range(3):
    states = rng.normal(size=(10, 4)).astype("float32")
    rewards = rng.normal(size=10).astype("float32")
    with tf.GradientTape() as tape:
        h = tf.tanh(states @ shared)
        log_p = tf.nn.log_softmax(h @ actor)
        values = tf.squeeze(h @ critic, -1)
        actions = np.array([rng.choice(2, p=p / p.sum()) for p in np.exp(log_p.numpy())])
        returns = np.cumsum(rewards[::-1])[::-1].astype("float32")
        advantages = returns - values.numpy()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        chosen = tf.gather(log_p, actions, batch_dims=1)
        loss = -tf.reduce_mean(chosen * advantages) + 0.5 * tf.reduce_mean((values - returns) ** 2)
    for v, g in zip([shared, actor, critic], tape.gradient(loss, [shared, actor, critic])):
        v.assign_sub(0.05 * g)
print("RESULT:", loss.numpy())
