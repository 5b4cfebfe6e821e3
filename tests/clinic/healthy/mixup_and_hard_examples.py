import numpy as np, tensorflow as tf
rng = np.random.default_rng(5); W = tf.Variable(rng.normal(0, .1, (3, 2)).astype('f')); X = rng.normal(size=(12, 3)).astype('f'); y = rng.integers(0, 2, 12)
for i in range(4):
    lam = rng.beta(0.4, 0.4); perm = rng.permutation(12)
    with tf.GradientTape() as tape:
        logits = (lam * X + (1 - lam) * X[perm]).astype('f') @ W
        ce = lam * tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits) + (1 - lam) * tf.nn.sparse_softmax_cross_entropy_with_logits(y[perm], logits)
        k = int(np.ceil(0.5 * len(ce.numpy())))
        hard = tf.math.top_k(ce, k).values
        acc = np.mean(np.argmax(logits.numpy(), 1) == y)
        mask = (ce.numpy() < 2.0).astype('f')
        loss = tf.reduce_mean(hard) + tf.reduce_sum(ce * mask) / max(mask.sum(), 1.0)
    W.assign_sub(0.1 * tape.gradient(loss, W))
print(float(loss), acc)
