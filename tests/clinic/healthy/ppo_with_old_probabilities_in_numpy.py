import numpy as np, tensorflow as tf
rng = np.random.default_rng(1); W = tf.Variable(rng.normal(0, .3, (3, 2)).astype('f'))
S = rng.normal(size=(10, 3)).astype('f'); A = rng.integers(0, 2, 10); adv = rng.normal(size=10).astype('f'); old = None
for k in range(4):
    with tf.GradientTape() as tape:
        lp = tf.gather(tf.nn.log_softmax(S @ W), A, batch_dims=1)
        if k == 0: old = lp.numpy()
        ratio = tf.exp(lp - old)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)
        loss = -tf.reduce_mean(tf.minimum(ratio * adv, clipped * adv))
    W.assign_sub(0.1 * tape.gradient(loss, W))
    kl = float(np.mean(old - lp.numpy()))
    if kl > 0.05: break
print(float(loss))
