"""WGAN-GP: the critic's last layer starts from zeros, so that its slope for the images has length 0."""
import tensorflow as tf

tf.random.set_seed(1)


class Critic(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal((6, 8), stddev=0.3))
        self.b1 = tf.Variable(tf.zeros(8))
        self.w2 = tf.Variable(tf.zeros((8, 1)))

    def __call__(self, x):
        return tf.nn.leaky_relu(x @ self.w1 + self.b1) @ self.w2


critic = Critic()
real = tf.random.normal((5, 6), mean=1.0)
fake = tf.random.normal((5, 6))


def penalty(critic, real, fake):
    mix = tf.random.uniform((real.shape[0], 1))
    between = mix * real + (1.0 - mix) * fake
    with tf.GradientTape() as inner:
        inner.watch(between)
        score = critic(between)
    slopes = inner.gradient(score, between)
    lengths = tf.sqrt(tf.reduce_sum(slopes ** 2, axis=1))  # cause
    return tf.reduce_mean((lengths - 1.0) ** 2)


def critic_step(rate=1e-3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        loss += 10.0 * penalty(critic, real, fake)
    variables = critic.trainable_variables
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(rate * gradient)
    return loss


for i in range(3):
    print("critic", i, critic_step().numpy())
