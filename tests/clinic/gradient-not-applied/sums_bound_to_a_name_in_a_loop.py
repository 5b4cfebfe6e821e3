"""Gradients of four small batches are to be added up before a step."""

import tensorflow as tf

weights = [tf.Variable(1.0), tf.Variable([2.0, 3.0])]
batches = tf.random.stateless_normal((4, 8, 2), [1, 2])
sums = [tf.zeros_like(each) for each in weights]
for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((weights[0] * tf.linalg.matvec(batch, weights[1]) - 1.0) ** 2)
    for total, gradient in zip(sums, tape.gradient(loss, weights)):
        total = total + gradient / 4.0  # cause
for weight, total in zip(weights, sums):
    weight.assign_sub(0.1 * total)
print(weights[0].numpy(), weights[1].numpy())
