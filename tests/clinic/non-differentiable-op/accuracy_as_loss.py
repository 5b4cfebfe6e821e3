import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = tf.constant(rng.normal(size=(20, 4)).astype("float32"))
y = tf.constant(rng.integers(0, 3, size=20))
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


@tf.function
def loss_fn():
    predicted = tf.argmax(x @ w, axis=1)  # cause
    return 1.0 - tf.reduce_mean(tf.cast(tf.equal(predicted, y), tf.float32))


with tf.GradientTape() as tape:
    loss = loss_fn()
print("RESULT:", tape.gradient(loss, w))
