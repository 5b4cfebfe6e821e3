import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
states = rng.normal(size=(7, 3)).astype("float32")
returns = rng.normal(size=7).astype("float32")
actions = rng.integers(0, 2, size=7)
actor = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
critic = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
values = tf.matmul(states, critic)
advantage = tf.constant(returns) - values  # cause
with tf.GradientTape() as tape:
    log_p = tf.reduce_sum(tf.nn.log_softmax(states @ actor) * tf.one_hot(actions, 2), axis=1)
    loss = -tf.reduce_mean(log_p * advantage)
print(tape.gradient(loss, actor).numpy())
