import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
theta = tf.Variable(tf.zeros([3]))
value = tf.Variable(0.0)
for episode in range(5):
    probabilities = tf.nn.softmax(theta).numpy()
    actions = rng.choice(3, size=20, p=probabilities / probabilities.sum())
    rewards = (actions == 2).astype("float32") + rng.normal(0, 0.1, size=20).astype("float32")
    advantage = rewards - float(value)
    with tf.GradientTape() as tape:
        log_p = tf.gather(tf.nn.log_softmax(theta), actions)
        entropy = -tf.reduce_sum(tf.nn.softmax(theta) * tf.nn.log_softmax(theta))
        loss = -tf.reduce_mean(log_p * advantage) - 0.01 * entropy + tf.reduce_mean((value - rewards) ** 2)
    for v, g in zip([theta, value], tape.gradient(loss, [theta, value])):
        v.assign_sub(0.1 * g)
print(theta.numpy())
