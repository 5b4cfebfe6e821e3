import tensorflow as tf


class Dense:
    def __init__(self, inputs, outputs):
        self.w = tf.Variable(tf.random.normal([inputs, outputs], seed=1))
        self.b = tf.Variable(tf.zeros([outputs]))
        self.variables = [self.w, self.b]

    def __call__(self, x):
        return x @ self.w + self.b


generator, discriminator = Dense(2, 3), Dense(3, 1)
noise, real = tf.random.normal([4, 2], seed=2), tf.random.normal([4, 3], seed=3)
with tf.GradientTape() as tape:
    fake = tf.stop_gradient(generator(noise))
    loss = tf.reduce_mean(tf.nn.softplus(discriminator(fake)) + tf.nn.softplus(-discriminator(real)))
gradients = tape.gradient(loss, generator.variables)  # cause
for gradient, variable in zip(gradients, discriminator.variables):
    variable.assign_sub(0.1 * gradient)
