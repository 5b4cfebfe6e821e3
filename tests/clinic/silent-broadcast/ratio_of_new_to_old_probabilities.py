import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
weights = tf.Variable(rng.normal(size=(3, 1)).astype("float32") * 0.1)
log_deviation = tf.Variable(tf.zeros([1]))
rollout = {
    "states": rng.normal(size=(16, 3)).astype("float32"),
    "actions": rng.normal(size=(16, 1)).astype("float32"),
    "advantages": rng.normal(size=16).astype("float32"),
}


def log_probability(states, actions):
    error = (actions - states @ weights) / tf.exp(log_deviation)
    return -0.5 * error**2 - log_deviation


rollout["old"] = log_probability(rollout["states"], rollout["actions"]).numpy()[:, 0]
for epoch in range(3):
    with tf.GradientTape() as tape:
        ratio = tf.exp(log_probability(rollout["states"], rollout["actions"]) - rollout["old"])  # cause
        bounded = tf.clip_by_value(ratio, 0.8, 1.2)
        loss = -tf.reduce_mean(tf.minimum(ratio * rollout["advantages"], bounded * rollout["advantages"]))
    for variable, gradient in zip([weights, log_deviation], tape.gradient(loss, [weights, log_deviation])):
        variable.assign_sub(0.05 * gradient)
print("RESULT:", weights.numpy())
