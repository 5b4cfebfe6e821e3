import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
theta = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
states = rng.normal(size=(12, 3)).astype("float32")
actions = rng.integers(0, 2, size=12)
with tf.GradientTape() as tape:
    log_p = tf.nn.log_softmax(states @ theta)
    picked = tf.gather(log_p, actions, batch_dims=1)
    returns = np.where(actions == 1, 1.0, 0.2).astype("float32")
    baseline = float(tf.reduce_mean(returns))
    weights = np.exp(picked.numpy()).mean()
    loss = -tf.reduce_mean(picked * (returns - baseline)) * weights
theta.assign_sub(0.1 * tape.gradient(loss, theta))
print(theta.numpy())
