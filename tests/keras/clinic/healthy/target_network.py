import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)


def network():
    return tf.keras.Sequential(
        [tf.keras.Input((4,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)]
    )


q, target = network(), network()
target.set_weights(q.get_weights())
optimizer = tf.keras.optimizers.Adam(1e-3)
for step in range(6):
    states, following = rng.normal(size=(2, 16, 4)).astype("float32")
    actions, rewards = rng.integers(0, 2, 16), rng.random(16, dtype="float32")
    goals = rewards + 0.9 * tf.reduce_max(target(following), axis=1)
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(q(states) * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean(tf.square(goals - chosen))
    gradients = tape.gradient(loss, q.trainable_variables)
    optimizer.apply_gradients(zip(gradients, q.trainable_variables))
    if step % 3 == 2:
        target.set_weights(q.get_weights())
print(loss.shape)
