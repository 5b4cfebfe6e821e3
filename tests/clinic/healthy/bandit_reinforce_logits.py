import numpy as np
import tensorflow as tf

tf.random.set_seed(47)
theta = tf.Variable(tf.zeros(4))
means = np.array([0.1, 0.5, 0.9, 0.2])
baseline = 0.0
rng = np.random.default_rng(47)
for t in range(30):
    with tf.GradientTape() as tape:
        log_probs = tf.nn.log_softmax(theta)
        action = tf.random.categorical(log_probs[None, :], 1)[0, 0]
        reward = float(rng.normal(means[int(action)], 0.1))
        loss = -(reward - baseline) * log_probs[action]
    theta.assign_sub(0.3 * tape.gradient(loss, theta))
    baseline = 0.9 * baseline + 0.1 * reward
print("RESULT:", tf.nn.softmax(theta).numpy())
