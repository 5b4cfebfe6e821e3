import numpy as np
import tensorflow as tf

rng = np.random.default_rng(24)
logits = tf.Variable(rng.normal(size=(6,)).astype("float32"))
costs = tf.constant(rng.random(6).astype("float32"))


@tf.function
def step(temperature):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(logits / temperature)
        loss = tf.reduce_sum(p * costs)
    return loss, tape.gradient(loss, logits)


for epoch in range(5):
    loss, grad = step(tf.constant(2.0 * 0.8 ** epoch))
    logits.assign_sub(grad)
print("RESULT:", loss.numpy())
