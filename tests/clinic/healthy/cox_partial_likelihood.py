import numpy as np
import tensorflow as tf

rng = np.random.default_rng(43)
x = rng.normal(size=(20, 3)).astype("float32")
time = rng.exponential(1.0, 20).astype("float32")
event = (rng.random(20) < 0.7).astype("float32")
order = np.argsort(-time)
x, event = x[order], event[order]
beta = tf.Variable(tf.zeros([3, 1]))
for _ in range(10):
    with tf.GradientTape() as tape:
        risk = tf.squeeze(x @ beta, axis=1)
        log_cum = tf.math.log(tf.cumsum(tf.exp(risk)))
        loss = -tf.reduce_sum((risk - log_cum) * event) / tf.reduce_sum(event)
    beta.assign_sub(0.2 * tape.gradient(loss, beta))
print("RESULT:", beta.numpy().ravel())
