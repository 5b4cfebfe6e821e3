import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
policy = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
boards = rng.normal(size=(5, 4)).astype("float32")
legal = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 0], [1, 1, 1]], dtype=bool)
moves = tf.constant([0, 0, 1, 2, 2])
advantage = tf.constant([1.0, -0.5, 0.2, 0.0, 0.7])


class Player:
    def logits(self, boards):
        return boards @ policy

    def log_policy(self, boards, legal):
        masked = tf.where(legal, self.logits(boards), -np.inf)
        return tf.nn.log_softmax(masked)  # cause


with tf.GradientTape() as tape:
    logp = Player().log_policy(boards, legal)
    chosen = tf.gather(logp, moves, batch_dims=1)
    loss = -tf.reduce_mean(chosen * advantage)
print("RESULT:", tape.gradient(loss, policy).numpy())
