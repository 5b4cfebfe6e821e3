"""Preference optimisation as it should be: the reference is a copy that nothing trains, ratios start at 0."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(122)
prompts = tf.constant(rng.normal(size=(8, 5)).astype("float32"))
chosen, rejected = rng.integers(0, 6, 8), rng.integers(0, 6, 8)
policy = {"w": tf.Variable(rng.normal(0, 0.3, (5, 6)).astype("float32")), "b": tf.Variable(tf.zeros(6))}
reference = {name: tf.Variable(v, trainable=False) for name, v in policy.items()}


def log_prob(model, tokens):
    return tf.gather(tf.nn.log_softmax(prompts @ model["w"] + model["b"]), tokens, batch_dims=1)


for step in range(4):
    with tf.GradientTape() as tape:
        ratios = [log_prob(policy, t) - tf.stop_gradient(log_prob(reference, t)) for t in (chosen, rejected)]
        margin = 0.5 * (ratios[0] - ratios[1])
        loss = -tf.reduce_mean(tf.math.log_sigmoid(margin))
    for name, g in tape.gradient(loss, policy).items():
        policy[name].assign_sub(0.5 * g)
    print(step, loss.numpy(), np.mean(margin.numpy() > 0))
