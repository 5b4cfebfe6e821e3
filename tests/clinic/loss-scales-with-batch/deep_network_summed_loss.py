import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
x = rng.normal(size=(256, 4)).astype("float32")
y = np.sum(x, axis=1, keepdims=True)
w1 = tf.Variable(rng.normal(0, 0.5, size=(4, 8)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.5, size=(8, 1)).astype("float32"))
for step in range(40):
    with tf.GradientTape() as tape:
        hidden = tf.nn.leaky_relu(tf.matmul(x, w1))
        error = tf.matmul(hidden, w2) - y
        loss = tf.reduce_sum(tf.square(error))  # cause
    grads = tape.gradient(loss, [w1, w2])
    for variable, grad in zip([w1, w2], grads):
        variable.assign_sub(0.01 * grad)
print(loss.numpy())
