import numpy as np
import tensorflow as tf

x = tf.constant([[1.0], [2.0], [3.0]])
y = 2.0 * x + 1.0
w = tf.Variable(2.0)
b = tf.Variable(0.0)
for step in range(400):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x + b - y) ** 2)
    grads = tape.gradient(loss, [w, b])
    for v, g in zip([w, b], grads):
        v.assign_sub(0.1 * g)
print("RESULT:", w.numpy(), b.numpy())
