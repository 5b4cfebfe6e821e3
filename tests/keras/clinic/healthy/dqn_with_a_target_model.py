"""Deep Q learning with a replay buffer in NumPy, a target model and a Huber loss."""

import random
from collections import deque

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(28)
random.seed(28)


def q_network():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(2)])


online, target = q_network(), q_network()
target.set_weights(online.get_weights())
optimizer, huber = keras.optimizers.Adam(1e-2), keras.losses.Huber()
buffer, state = deque(maxlen=200), np.zeros(3, "float32")
for t in range(60):
    if random.random() < 0.3:
        action = random.randrange(2)
    else:
        action = int(np.argmax(online.predict_on_batch(state[None])[0]))
    following = np.clip(
        state + np.random.default_rng(t).normal(size=3).astype("float32") * (1 if action else -1), -2, 2
    )
    buffer.append((state, action, float(following.sum()), following, t % 20 == 19))
    state = following
    if len(buffer) < 16 or t % 5:
        continue
    s, a, r, n, done = (np.array(each) for each in zip(*random.sample(buffer, 16)))
    best = target.predict_on_batch(n).max(axis=1)
    goal = (r + 0.9 * best * (1 - done)).astype("float32")
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(online(s) * tf.one_hot(a, 2), axis=1)
        loss = huber(goal, chosen)
    grads = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(grads, online.trainable_variables))
    if t % 20 == 0:
        target.set_weights(online.get_weights())
print(round(float(loss), 3) >= 0)
