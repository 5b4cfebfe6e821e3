import numpy as np
import tensorflow as tf

np.random.seed(0)
W = tf.Variable(np.random.randn(4, 2).astype("float32"))
state = np.ones((1, 4), "float32")
with tf.GradientTape() as tape:
    probs = tf.nn.softmax(state @ W)
    p = probs.numpy()[0]  # cause
    action = np.random.choice(2, p=p / p.sum())
    loss = -tf.math.log(p[action]) * 1.0
print(tape.gradient(loss, W))
