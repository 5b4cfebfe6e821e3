import numpy as np, tensorflow as tf
w = tf.Variable(np.ones((3, 2), 'f')); running = [1.0, 1.0]; queue = np.random.RandomState(1).randn(4, 2).astype('f')
X = np.random.RandomState(2).randn(6, 3).astype('f')
for i in range(4):
    with tf.GradientTape() as tape:
        z = X @ w
        l1 = tf.reduce_mean(tf.square(z - 1.0)); l2 = tf.reduce_mean(tf.abs(z))
        running = [0.9 * r + 0.1 * float(l) for r, l in zip(running, (l1, l2))]
        sim = tf.matmul(z, queue, transpose_b=True)
        loss = l1 / running[0] + l2 / running[1] + 0.01 * tf.reduce_mean(tf.reduce_logsumexp(sim, axis=1))
        queue = np.concatenate([z.numpy()[:2], queue])[:4]
    w.assign_sub(0.05 * tape.gradient(loss, w))
print(float(loss))
