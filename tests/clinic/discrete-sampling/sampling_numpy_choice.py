import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
logits = tf.Variable([0.1, 0.2, 0.3])
payoff = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits).numpy().astype("float64")  # cause
    picks = rng.choice(3, size=10, p=p / p.sum())  # cause
    loss = -tf.reduce_mean(tf.gather(payoff, picks))
print(tape.gradient(loss, logits))
