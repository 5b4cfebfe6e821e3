"""PPO's clipped value loss: old values and returns are flat, new values are a column."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(109)
obs = tf.constant(rng.normal(size=(10, 4)).astype("float32"))
v_net = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(4, 8), (8, 1)]]


def value(obs):
    return tf.tanh(obs @ v_net[0]) @ v_net[1]


old_values = tf.constant(value(obs).numpy()[:, 0])
returns = tf.constant(rng.normal(size=10).astype("float32"))


@tf.function
def train(obs, old_values, returns, clip=0.2):
    with tf.GradientTape() as tape:
        new = value(obs)
        clipped = old_values + tf.clip_by_value(new - old_values, -clip, clip)  # cause
        worst = tf.maximum((new - returns) ** 2, (clipped - returns) ** 2)
        loss = 0.5 * tf.reduce_mean(worst)
    for v, g in zip(v_net, tape.gradient(loss, v_net)):
        v.assign_sub(0.05 * g)
    return loss


for _ in range(3):
    print(train(obs, old_values, returns).numpy())
