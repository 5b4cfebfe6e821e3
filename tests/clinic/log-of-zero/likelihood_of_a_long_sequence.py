import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
weights = tf.Variable(rng.normal(size=(6, 40)).astype("float32") * 0.1)
contexts = rng.normal(size=(3, 60, 6)).astype("float32")
words = rng.integers(0, 40, size=(3, 60))


@tf.function
def negative_log_likelihood():
    shares = tf.nn.softmax(tf.einsum("btd,dv->btv", contexts, weights))
    chosen = tf.gather(shares, words, batch_dims=2)
    return -tf.reduce_mean(tf.math.log(tf.reduce_prod(chosen, axis=1)))  # cause


with tf.GradientTape() as tape:
    loss = negative_log_likelihood()
print("RESULT:", tape.gradient(loss, weights)[0, :3])
