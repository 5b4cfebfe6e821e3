import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
g = tf.Variable(rng.normal(size=(2, 3)).astype("float32"))
d = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
real = rng.normal(size=(8, 3)).astype("float32")
ones, zeros = tf.ones([8, 1]), tf.zeros([8, 1])
bce = tf.nn.sigmoid_cross_entropy_with_logits
for step in range(3):
    z = rng.normal(size=(8, 2)).astype("float32")
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = tf.nn.leaky_relu(z @ g)
        fake_logits, real_logits = fake @ d, real @ d
        gen_loss = tf.reduce_mean(bce(ones, fake_logits))
        disc_loss = tf.reduce_mean(bce(ones, real_logits) + bce(zeros, fake_logits))
    gen_grads = gen_tape.gradient(gen_loss, [g])
    disc_grads = disc_tape.gradient(disc_loss, [d])
    g.assign_sub(0.1 * gen_grads[0])
    d.assign_sub(0.1 * disc_grads[0])
print(gen_loss.numpy(), disc_loss.numpy())
