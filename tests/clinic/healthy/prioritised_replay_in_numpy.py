import tensorflow as tf
import numpy as np
rng = np.random.default_rng(0)
q = tf.Variable(rng.normal(size=(3, 2)).astype('float32')); qt = tf.Variable(q)
buffer = []
for step in range(12):
    s = rng.normal(size=3).astype('float32')
    qs = tf.linalg.matvec(q, s, transpose_a=True).numpy()
    a = int(np.argmax(qs)) if rng.random() > 0.2 else int(rng.integers(2))
    r = float(s[0] * (1 if a else -1)); s2 = rng.normal(size=3).astype('float32')
    buffer.append((s, a, r, s2, qs.max()))
    if len(buffer) < 4: continue
    batch = [buffer[i] for i in rng.choice(len(buffer), 4)]
    S, A, R, S2, QM = map(np.array, zip(*batch))
    S = S.astype('float32'); S2 = S2.astype('float32')
    with tf.GradientTape() as tape:
        target = R.astype('float32') + 0.9 * tf.reduce_max(tf.matmul(S2, qt), axis=1).numpy()
        qa = tf.reduce_sum(tf.matmul(S, q) * tf.one_hot(A, 2), axis=1)
        td = target - qa
        prio = np.abs(td.numpy()) + 1e-3
        w = (prio / prio.sum()) ** -0.5
        w = (w / w.max()).astype('float32')
        loss = tf.reduce_mean(w * td ** 2)
    g = tape.gradient(loss, q)
    q.assign_sub(0.05 * g)
    qt.assign(0.95 * qt + 0.05 * q)
print(float(loss))
