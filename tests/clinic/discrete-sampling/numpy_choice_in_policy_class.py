import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.theta = tf.Variable(tf.zeros([3]))

    def probabilities(self):
        return tf.nn.softmax(self.theta)

    def act(self):
        p = self.probabilities().numpy().astype("float64")
        return int(rng.choice(3, p=p / p.sum()))  # cause


rewards = tf.constant([0.1, 0.7, 0.3])
policy = Policy()
with tf.GradientTape() as tape:
    total = tf.add_n([rewards[policy.act()] for _ in range(4)])
print("RESULT:", tape.gradient(total, policy.theta))
