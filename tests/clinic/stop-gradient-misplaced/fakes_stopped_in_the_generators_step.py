"""The function that makes the fakes stops their gradient, for the critic's step: the generator's step takes its fakes from it too."""
import tensorflow as tf

tf.random.set_seed(0)
generator = [tf.Variable(tf.random.normal((2, 3), stddev=0.5)), tf.Variable(tf.zeros(3))]
critic = [tf.Variable(tf.random.normal((3, 1), stddev=0.5))]


def fakes(count):
    made = tf.tanh(tf.random.normal((count, 2)) @ generator[0] + generator[1])
    return tf.stop_gradient(made)  # cause


for step in range(2):
    real = tf.random.normal((4, 3)) + 1.0
    with tf.GradientTape() as tape:
        gap = tf.reduce_mean(fakes(4) @ critic[0]) - tf.reduce_mean(real @ critic[0])
    for v, g in zip(critic, tape.gradient(gap, critic)):
        v.assign(tf.clip_by_value(v - 0.1 * g, -1.0, 1.0))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(fakes(4) @ critic[0])
    grads = tape.gradient(loss, generator)
    for v, g in zip(generator, grads):
        if g is not None:
            v.assign_sub(0.1 * g)
    print(step, gap.numpy(), loss.numpy())
