"""Double Q learning stops the gradient of the values that should be learned, and not that of the goal, which another network gives."""
import tensorflow as tf

tf.random.set_seed(0)


class Values(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((3, 2), stddev=0.1))

    def __call__(self, states):
        return states @ self.kernel


online, slow = Values(), Values()
slow.kernel.assign(online.kernel)
before, after = tf.random.normal((6, 3)), tf.random.normal((6, 3))
actions = tf.constant([0, 1, 1, 0, 1, 0])

with tf.GradientTape() as tape:
    chosen = tf.gather(online(before), actions, axis=1, batch_dims=1)
    best = tf.argmax(online(after), axis=1)
    goal = 1.0 + 0.9 * tf.gather(slow(after), best, axis=1, batch_dims=1)
    loss = tf.reduce_mean((goal - tf.stop_gradient(chosen)) ** 2)  # cause
print(tape.gradient(loss, online.trainable_variables))
