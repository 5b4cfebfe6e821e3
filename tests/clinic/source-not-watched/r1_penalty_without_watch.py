"""R1 regularisation: the inner tape is asked for the slopes at real images it does not watch."""
import tensorflow as tf

tf.random.set_seed(0)
kernel = tf.Variable(tf.random.normal((4, 1), stddev=0.2))
hidden = tf.Variable(tf.random.normal((12, 4), stddev=0.2))


def discriminator(images):
    flat = tf.reshape(images, (-1, 12))
    return tf.nn.softplus(flat @ hidden) @ kernel


def r1(real):
    with tf.GradientTape() as tape:
        score = tf.reduce_sum(discriminator(real))  # cause
    slope = tape.gradient(score, real)  # cause
    return tf.reduce_mean(tf.reduce_sum(tf.square(slope), axis=(1, 2)))


def train_step(real, fake, gamma=10.0):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softplus(discriminator(fake)))
        loss += tf.reduce_mean(tf.nn.softplus(-discriminator(real)))
        loss += 0.5 * gamma * r1(real)
    grads = tape.gradient(loss, [hidden, kernel])
    for v, g in zip([hidden, kernel], grads):
        v.assign_sub(0.01 * g)
    return loss


for _ in range(2):
    real = tf.random.normal((3, 4, 3), mean=0.5)
    fake = tf.random.normal((3, 4, 3))
    print(train_step(real, fake))
