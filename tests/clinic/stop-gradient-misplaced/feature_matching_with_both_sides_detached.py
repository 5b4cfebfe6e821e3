"""Feature matching: the helper that computes features detaches them, for real and fake images alike."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(100)


def mlp(*sizes):
    return [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in zip(sizes, sizes[1:])]


gen, dis = mlp(3, 8, 6), mlp(6, 8, 1)


def run(weights, x, upto=None):
    for w in weights[:upto]:
        x = tf.nn.leaky_relu(x @ w)
    return x


def features(images):
    return tf.stop_gradient(run(dis, images, upto=1))  # cause


def matching_loss(real, fake):
    return tf.reduce_sum((tf.reduce_mean(features(real), 0) - tf.reduce_mean(features(fake), 0)) ** 2)


for step in range(2):
    real = tf.constant(rng.normal(1, 1, (8, 6)).astype("float32"))
    z = tf.constant(rng.normal(size=(8, 3)).astype("float32"))
    with tf.GradientTape() as tape:
        loss = matching_loss(real, run(gen, z))
    grads = tape.gradient(loss, gen)
    if all(g is None for g in grads):
        print("the generator gets nothing")
        break
    for w, g in zip(gen, grads):
        w.assign_sub(0.1 * g)
