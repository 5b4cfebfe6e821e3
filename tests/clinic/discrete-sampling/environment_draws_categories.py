import tensorflow as tf

tf.random.set_seed(12)
logits = tf.Variable([[0.1, 0.4, -0.2]] * 5)
payoff = tf.constant([1.0, 0.2, -0.5])


def rollout(logits):
    choice = tf.random.categorical(logits, 1)  # cause
    return tf.gather(payoff, tf.squeeze(choice, axis=1))


with tf.GradientTape() as tape:
    reward = tf.reduce_mean(rollout(logits))
print("RESULT:", tape.gradient(-reward, logits))
