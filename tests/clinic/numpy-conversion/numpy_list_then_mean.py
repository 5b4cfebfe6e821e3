import numpy as np
import tensorflow as tf

gamma = tf.Variable(0.9)
rewards = [1.0, 0.5, 0.25]
with tf.GradientTape() as tape:
    discounted = []
    running = 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        discounted.insert(0, float(running))  # cause
    returns = tf.convert_to_tensor(discounted)
    objective = tf.reduce_mean(returns)
print(tape.gradient(objective, gamma))
