import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
samples = rng.normal(size=(3, 5)).astype("float32")
scale = tf.Variable(1.0)
with tf.GradientTape() as tape:
    centred = samples - samples.mean(axis=0)
    cov = scale * tf.matmul(centred, centred, transpose_a=True) / 2.0
    L = tf.linalg.cholesky(cov)  # cause
    nll = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))
print(tape.gradient(nll, scale))
