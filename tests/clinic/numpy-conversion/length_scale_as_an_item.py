import tensorflow as tf

import numpy as np
X = np.linspace(0, 1, 6).astype('float32')[:, None]; Y = np.sin(6 * X[:, 0]).astype('float32')
log_l = tf.Variable(-1.0); log_s = tf.Variable(0.0); log_n = tf.Variable(-2.0)
def kernel():
    l = tf.exp(log_l).numpy().item()  # cause
    d = (X - X.T) / l
    return tf.exp(2 * log_s) * tf.exp(-0.5 * d ** 2)
for i in range(5):
    with tf.GradientTape() as tape:
        K = kernel() + tf.exp(2 * log_n) * tf.eye(6)
        L = tf.linalg.cholesky(K)
        a = tf.linalg.cholesky_solve(L, Y[:, None])
        nll = 0.5 * tf.reduce_sum(Y[:, None] * a) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L))) + 0.1 * log_l ** 2
    gs = tape.gradient(nll, [log_l, log_s, log_n])
    for v, g in zip([log_l, log_s, log_n], gs): v.assign_sub(0.05 * g)
print(float(nll))
