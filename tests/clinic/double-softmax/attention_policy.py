import numpy as np
import tensorflow as tf


class Policy(tf.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.hidden = tf.Variable(tf.random.stateless_normal([obs, 16], seed=[1, 2]) * 0.3)
        self.out = tf.Variable(tf.random.stateless_normal([16, actions], seed=[3, 4]) * 0.3)

    def __call__(self, state):
        h = tf.nn.relu(state @ self.hidden)
        return tf.nn.softmax(h @ self.out)  # cause


def policy_gradient_loss(policy, states, actions, returns):
    scores = policy(states)
    neglog = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=scores)  # cause
    return tf.reduce_mean(neglog * returns)


rng = np.random.default_rng(8)
policy = Policy(4, 3)
states = tf.constant(rng.normal(size=(10, 4)).astype("float32"))
actions = tf.constant(rng.integers(0, 3, size=10))
returns = tf.constant(rng.normal(size=10).astype("float32"))
for update in range(5):
    with tf.GradientTape() as tape:
        loss = policy_gradient_loss(policy, states, actions, returns)
    grads = tape.gradient(loss, policy.trainable_variables)
    for v, g in zip(policy.trainable_variables, grads):
        v.assign_sub(0.1 * g)
print("RESULT:", float(loss))
