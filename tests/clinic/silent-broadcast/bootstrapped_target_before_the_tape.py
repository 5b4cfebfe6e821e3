import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
online = [tf.Variable(rng.normal(size=s).astype("float32") * 0.3) for s in ((4, 8), (8, 2))]
frozen = [tf.Variable(each) for each in online]


def values(net, states):
    return tf.tanh(states @ net[0]) @ net[1]


def huber(error, bend=1.0):
    return tf.where(tf.abs(error) < bend, 0.5 * error**2, bend * (tf.abs(error) - 0.5 * bend))


states, following = (rng.normal(size=(12, 4)).astype("float32") for _ in range(2))
actions = rng.integers(0, 2, size=(12, 1))
rewards, done = rng.normal(size=(12, 1)).astype("float32"), np.zeros((12, 1), "float32")
best = tf.reduce_max(values(frozen, following), axis=1)
target = rewards + 0.9 * (1.0 - done) * best  # cause
with tf.GradientTape() as tape:
    chosen = tf.gather(values(online, states), actions, batch_dims=1)
    loss = tf.reduce_mean(huber(target - chosen))
print("RESULT:", tape.gradient(loss, online)[1])
