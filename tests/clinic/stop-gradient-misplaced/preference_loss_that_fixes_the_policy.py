"""Preference optimisation: stop_gradient stands around the policy's log ratio instead of the reference's."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(105)
prompts = tf.constant(rng.normal(size=(8, 5)).astype("float32"))
chosen, rejected = rng.integers(0, 6, 8), rng.integers(0, 6, 8)
policy = {"w": tf.Variable(rng.normal(0, 0.3, (5, 6)).astype("float32")), "b": tf.Variable(tf.zeros(6))}
reference = {name: tf.constant(v.numpy()) for name, v in policy.items()}


def log_prob(model, tokens):
    logs = tf.nn.log_softmax(prompts @ model["w"] + model["b"])
    return tf.gather(logs, tokens, batch_dims=1)


def dpo(beta=0.5):
    pi = tf.stop_gradient(log_prob(policy, chosen) - log_prob(policy, rejected))  # cause
    ref = log_prob(reference, chosen) - log_prob(reference, rejected)
    return -tf.reduce_mean(tf.math.log_sigmoid(beta * (pi - ref)))


with tf.GradientTape() as tape:
    loss = dpo()
grads = tape.gradient(loss, policy)
print(loss.numpy(), grads)
