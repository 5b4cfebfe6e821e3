import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = rng.normal(size=(6, 4)).astype("float32")
teacher = tf.constant(rng.normal(size=(4, 3)).astype("float32"))
student = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
soft = tf.nn.softmax(x @ teacher / 2.0)
with tf.GradientTape() as tape:
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=x @ student / 2.0)
    loss = 4.0 * tf.reduce_mean(losses)
print(tape.gradient(loss, student).numpy())
