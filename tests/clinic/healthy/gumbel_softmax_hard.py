import numpy as np
import tensorflow as tf

tf.random.set_seed(34)
rng = np.random.default_rng(34)
logits = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
payoff = tf.constant([1.0, 2.0, 3.0])


def sample(logits, tau):
    u = tf.random.uniform(logits.shape, 1e-6, 1.0 - 1e-6)
    g = -tf.math.log(-tf.math.log(u))
    soft = tf.nn.softmax((logits + g) / tau)
    hard = tf.one_hot(tf.argmax(soft, axis=-1), 3)
    return tf.stop_gradient(hard - soft) + soft


for step in range(10):
    with tf.GradientTape() as tape:
        reward = tf.reduce_mean(tf.reduce_sum(sample(logits, 0.7) * payoff, axis=-1))
        loss = -reward
    logits.assign_sub(1.0 * tape.gradient(loss, logits))
print("RESULT:", reward.numpy())
