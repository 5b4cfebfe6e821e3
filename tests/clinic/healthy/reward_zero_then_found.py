import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
theta = tf.Variable(rng.normal(0, 0.1, (3, 2)).astype("float32"))
for episode in range(6):
    states = rng.normal(size=(5, 3)).astype("float32")
    actions = rng.integers(0, 2, 5)
    rewards = np.zeros(5, dtype="float32")
    if episode >= 3:
        rewards[-1] = 1.0
    returns = np.cumsum(rewards[::-1])[::-1].copy()
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(states @ theta)
        chosen = tf.gather(logp, actions, batch_dims=1)
        loss = -tf.reduce_mean(chosen * returns)
    theta.assign_sub(0.1 * tape.gradient(loss, theta))
print("RESULT:", theta.numpy().ravel())
