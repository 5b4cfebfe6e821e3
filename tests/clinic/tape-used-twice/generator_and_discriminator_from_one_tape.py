"""Both losses of a GAN come from one tape that is asked twice."""
import tensorflow as tf

tf.random.set_seed(9)
G = {"w": tf.Variable(tf.random.normal((3, 2))), "b": tf.Variable(tf.zeros(2))}
D = {"w": tf.Variable(tf.random.normal((2, 1))), "b": tf.Variable(tf.zeros(1))}


def generate(noise):
    return noise @ G["w"] + G["b"]


def judge(points):
    return points @ D["w"] + D["b"]


def losses(real, noise):
    fake = judge(generate(noise))
    true = judge(real)
    bce = tf.nn.sigmoid_cross_entropy_with_logits
    d = tf.reduce_mean(bce(tf.ones_like(true), true) + bce(tf.zeros_like(fake), fake))
    g = tf.reduce_mean(bce(tf.ones_like(fake), fake))
    return g, d


def apply(params, grads, rate):
    for name, variable in params.items():
        variable.assign_sub(rate * grads[name])


for step in range(2):
    real = tf.random.normal((8, 2), mean=2.0)
    with tf.GradientTape() as tape:
        g_loss, d_loss = losses(real, tf.random.normal((8, 3)))
    apply(D, tape.gradient(d_loss, D), 0.05)
    apply(G, tape.gradient(g_loss, G), 0.05)  # cause
