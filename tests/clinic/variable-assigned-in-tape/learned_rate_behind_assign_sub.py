"""The learning rate is to be learned through a step, but the step is assigned to the variables inside the tape."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(74)
data = [tf.constant(rng.normal(size=(10, 4)).astype("float32")) for _ in range(3)]
weights = tf.Variable(rng.normal(0, 0.5, (4, 4)).astype("float32"))
log_rate = tf.Variable(-3.0)


def reconstruction(x):
    return tf.reduce_mean((x @ weights - x) ** 2)


def inner_step(x):
    with tf.GradientTape() as inner:
        loss = reconstruction(x)
    g = inner.gradient(loss, weights)
    weights.assign_sub(tf.exp(log_rate) * g)  # cause


for epoch in range(2):
    for train, valid in zip(data, data[1:]):
        with tf.GradientTape() as outer:
            inner_step(train)
            after = reconstruction(valid)
        d = outer.gradient(after, log_rate)
        if d is not None:
            log_rate.assign_sub(0.1 * d)
    print(epoch, after.numpy(), log_rate.numpy())
