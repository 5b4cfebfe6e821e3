import numpy as np
import tensorflow as tf
w1 = tf.Variable(np.random.default_rng(0).normal(size=(3, 3)).astype("float32"))
w2 = tf.Variable(np.random.default_rng(1).normal(size=(3, 1)).astype("float32"))
x = np.random.default_rng(2).normal(size=(6, 3)).astype("float32")

def regularisation():
    return 0.01 * (tf.nn.l2_loss(w1) + tf.nn.l2_loss(w2))

reg = regularisation()  # cause
for step in range(5):
    with tf.GradientTape() as tape:
        out = tf.tanh(x @ w1) @ w2
        loss = tf.reduce_mean(out ** 2) + reg
    for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
        v.assign_sub(0.1 * g)
print(loss)
