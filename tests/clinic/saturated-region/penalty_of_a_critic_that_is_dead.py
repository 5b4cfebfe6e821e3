"""A critic whose units are all off: its gradient penalty, a derivative of a derivative, cannot train it either."""
import tensorflow as tf

draw = tf.random.Generator.from_seed(4)


class Critic:
    def __init__(self):
        self.inner = tf.Variable(draw.normal((3, 5), stddev=0.4))
        self.bias = tf.Variable(tf.fill((5,), -12.0))
        self.outer = tf.Variable(draw.normal((5, 1), stddev=0.4))

    def __call__(self, x):
        return tf.nn.relu(x @ self.inner + self.bias) @ self.outer  # cause


critic = Critic()
points = draw.normal((6, 3))
with tf.GradientTape() as tape:
    with tf.GradientTape() as inner_tape:
        inner_tape.watch(points)
        scores = critic(points)
    slopes = inner_tape.gradient(scores, points)
    lengths = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-12)
    penalty = tf.reduce_mean((lengths - 1.0) ** 2) + tf.reduce_mean(scores)
print(penalty.numpy(), tape.gradient(penalty, [critic.inner, critic.outer]))
