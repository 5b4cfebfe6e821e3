import numpy as np, tensorflow as tf
rng = np.random.default_rng(0)
W = tf.Variable(rng.normal(0, .1, (4, 8)).astype('f')); P = tf.Variable(rng.normal(0, .1, (8, 3)).astype('f')); V = tf.Variable(rng.normal(0, .1, (8, 1)).astype('f'))
beta = 0.01
for ep in range(4):
    S = rng.normal(size=(16, 4)).astype('f'); R = rng.normal(size=16).astype('f')
    with tf.GradientTape() as tape:
        h = tf.nn.relu(S @ W); logits = h @ P; v = tf.squeeze(h @ V, 1)
        lp = tf.nn.log_softmax(logits); p = tf.exp(lp)
        probs = p.numpy().astype('float64'); probs /= probs.sum(1, keepdims=True)
        A = np.array([rng.choice(3, p=q) for q in probs])
        vals = v.numpy(); adv = np.zeros(16, 'f'); last = 0.0
        for t in reversed(range(16)):
            nxt = vals[t + 1] if t < 15 else 0.0
            delta = R[t] + 0.99 * nxt - vals[t]
            last = delta + 0.95 * 0.99 * last
            adv[t] = last
        ret = adv + vals
        lpa = tf.reduce_sum(lp * tf.one_hot(A, 3), axis=1)
        ent = -tf.reduce_mean(tf.reduce_sum(p * lp, axis=1))
        loss = -tf.reduce_mean(lpa * adv) + 0.5 * tf.reduce_mean(tf.square(ret - v)) - beta * ent
    gs = tape.gradient(loss, [W, P, V]); gs, _ = tf.clip_by_global_norm(gs, 0.5)
    for g, x in zip(gs, [W, P, V]): x.assign_sub(0.01 * g)
    beta = beta * (1.1 if float(ent) < 0.5 else 0.9)
print(float(loss))
