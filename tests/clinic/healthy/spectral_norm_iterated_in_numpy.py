import numpy as np, tensorflow as tf
W = tf.Variable(np.random.RandomState(0).randn(4, 3).astype('f')); u = np.ones(4, 'f'); x = np.random.RandomState(1).randn(5, 4).astype('f')
for i in range(3):
    with tf.GradientTape() as tape:
        w = W.numpy()
        v = w.T @ u; v /= np.linalg.norm(v)
        u = w @ v; u /= np.linalg.norm(u)
        sigma = tf.reduce_sum(u[:, None] * W * v[None, :])
        loss = tf.reduce_mean((x @ (W / sigma)) ** 2)
    W.assign_sub(0.1 * tape.gradient(loss, W))
print(float(loss))
