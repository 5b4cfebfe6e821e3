import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
x = tf.constant(rng.normal(size=(2, 4)).astype("float32"))
for _ in range(2):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([2, 1]), logits=x @ w))
    x = tf.clip_by_value(x + 0.1 * tf.sign(tape.gradient(loss, x)), -3.0, 3.0)
print(x.numpy())
