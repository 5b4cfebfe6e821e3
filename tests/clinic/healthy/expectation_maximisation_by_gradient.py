import numpy as np, tensorflow as tf
rng = np.random.default_rng(2); X = rng.normal(size=(30, 2)).astype('f'); mu = tf.Variable(X[:3].copy()); logit = tf.Variable(np.zeros(3, 'f'))
for it in range(4):
    d2 = np.sum((X[:, None] - mu.numpy()[None]) ** 2, -1)
    r = np.exp(-d2) * np.exp(logit.numpy()); r = (r / r.sum(1, keepdims=True)).astype('f')
    with tf.GradientTape() as tape:
        d = tf.reduce_sum((X[:, None] - mu[None]) ** 2, -1)
        loss = tf.reduce_sum(r * d) / 30.0 - tf.reduce_sum(r * tf.nn.log_softmax(logit)) / 30.0
    for v, g in zip([mu, logit], tape.gradient(loss, [mu, logit])): v.assign_sub(0.3 * g)
print(float(loss))
