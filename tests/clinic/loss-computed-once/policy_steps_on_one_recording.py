"""Several updates of a policy per batch, all with the gradient of the first."""
import tensorflow as tf

tf.random.set_seed(4)


class Policy(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.normal((4, 3), stddev=0.1))

    def log_probability(self, states, actions):
        return tf.reduce_sum(tf.one_hot(actions, 3) * tf.nn.log_softmax(states @ self.w), axis=1)


def improve(policy, states, actions, advantages, updates=6):
    with tf.GradientTape(persistent=True) as tape:
        objective = tf.reduce_mean(policy.log_probability(states, actions) * advantages)
    for _ in range(updates):
        (grad,) = tape.gradient(objective, policy.trainable_variables)  # cause
        policy.w.assign_add(0.1 * grad)
    return objective


policy = Policy()
for batch in range(2):
    states = tf.random.normal((10, 4))
    actions = tf.random.uniform((10,), 0, 3, dtype=tf.int32)
    print(improve(policy, states, actions, tf.random.normal((10,))).numpy())
