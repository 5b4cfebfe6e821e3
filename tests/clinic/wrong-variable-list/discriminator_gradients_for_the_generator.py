import tensorflow as tf

rng = tf.random.Generator.from_seed(3)
generator = [tf.Variable(rng.normal((2, 4))), tf.Variable(tf.zeros((4,)))]
discriminator = [tf.Variable(rng.normal((2, 4))), tf.Variable(tf.zeros((4,)))]
real = rng.normal((8, 2))


def make(z):
    return (tf.tanh(z @ generator[0] + generator[1]))[:, :2]


def judge(x):
    return tf.reduce_sum(tf.tanh(x @ discriminator[0] + discriminator[1]), axis=1)


def descend(variables, gradients, rate=0.05):
    for v, g in zip(variables, gradients):
        v.assign_sub(rate * g)


for step in range(3):
    z = rng.normal((8, 2))
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = judge(make(z))
        g_loss = tf.reduce_mean(tf.nn.softplus(-fake))
        d_loss = tf.reduce_mean(tf.nn.softplus(fake)) + tf.reduce_mean(tf.nn.softplus(-judge(real)))
    g_grads = g_tape.gradient(g_loss, generator)
    d_grads = d_tape.gradient(d_loss, discriminator)
    descend(discriminator, d_grads)
    descend(generator, d_grads)  # cause
print(float(g_loss), float(d_loss))
