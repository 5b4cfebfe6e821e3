import tensorflow as tf

tf.random.set_seed(8)


class Pair:
    def __init__(self):
        self.generator = tf.Variable(tf.random.normal([2, 4]))
        self.critic = tf.Variable(tf.random.normal([4, 1]))

    def critic_loss(self, real, noise):
        fake = tf.stop_gradient(noise @ self.generator)  # cause
        return tf.reduce_mean(fake @ self.critic) - tf.reduce_mean(real @ self.critic)


pair = Pair()
with tf.GradientTape() as tape:
    loss = pair.critic_loss(tf.random.normal([6, 4]), tf.random.normal([6, 2]))
print(tape.gradient(loss, pair.generator))
