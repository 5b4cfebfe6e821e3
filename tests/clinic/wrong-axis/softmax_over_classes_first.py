import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = rng.normal(size=(16, 5)).astype("float32")
y = rng.integers(0, 3, 16)
w = tf.Variable(rng.normal(0, 0.1, (5, 3)).astype("float32"))


@tf.function
def probabilities(x):
    return tf.nn.softmax(x @ w, axis=0)  # cause


def loss_fn(x, y):
    p = probabilities(x)
    picked = tf.gather(p, y, axis=1, batch_dims=1)
    return -tf.reduce_mean(tf.math.log(picked))


for _ in range(5):
    with tf.GradientTape() as tape:
        loss = loss_fn(x, y)
    w.assign_sub(tape.gradient(loss, w))
print("RESULT:", loss.numpy())
