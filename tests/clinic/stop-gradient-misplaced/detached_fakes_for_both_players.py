"""The fakes are detached once, and both losses of the GAN use them."""
import tensorflow as tf

tf.random.set_seed(5)


def layers(*sizes):
    return [[tf.Variable(tf.random.normal(s, stddev=0.4)), tf.Variable(tf.zeros(s[1]))] for s in zip(sizes, sizes[1:])]


def run(stack, x):
    *hidden, (w, b) = stack
    for weight, bias in hidden:
        x = tf.nn.leaky_relu(x @ weight + bias)
    return x @ w + b


gen, dis = layers(4, 8, 2), layers(2, 8, 1)


def flat(stack):
    return tf.nest.flatten(stack)


def gan_losses(real, noise):
    fake = tf.stop_gradient(run(gen, noise))  # cause
    d_real, d_fake = run(dis, real), run(dis, fake)
    d_loss = tf.reduce_mean(tf.nn.softplus(-d_real)) + tf.reduce_mean(tf.nn.softplus(d_fake))
    g_loss = tf.reduce_mean(tf.nn.softplus(-d_fake))
    return {"d": d_loss, "g": g_loss}


def step(real):
    with tf.GradientTape(persistent=True) as tape:
        losses = gan_losses(real, tf.random.normal((len(real), 4)))
    for player, stack in (("d", dis), ("g", gen)):
        for v, g in zip(flat(stack), tape.gradient(losses[player], flat(stack))):
            if g is not None:
                v.assign_sub(0.05 * g)
    return losses


for _ in range(3):
    print({k: float(v) for k, v in step(tf.random.normal((10, 2), mean=1.5)).items()})
