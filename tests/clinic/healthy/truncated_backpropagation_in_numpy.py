import numpy as np, tensorflow as tf
rng = np.random.default_rng(3); Wx = tf.Variable(rng.normal(0, .3, (2, 4)).astype('f')); Wh = tf.Variable(rng.normal(0, .3, (4, 4)).astype('f')); Wo = tf.Variable(rng.normal(0, .3, (4, 2)).astype('f'))
seq = rng.normal(size=(20, 1, 2)).astype('f'); h = np.zeros((1, 4), 'f'); scale = 8.0
for c in range(0, 20, 5):
    with tf.GradientTape() as tape:
        loss = 0.0; state = tf.constant(h)
        for t in range(c, min(c + 5, 19)):
            state = tf.tanh(seq[t] @ Wx + state @ Wh)
            loss += tf.reduce_mean((state @ Wo - seq[t + 1]) ** 2)
        h = state.numpy()
        scaled = loss * scale
    gs = [g / scale for g in tape.gradient(scaled, [Wx, Wh, Wo])]
    if not all(np.isfinite(g.numpy()).all() for g in gs): scale /= 2; continue
    for v, g in zip([Wx, Wh, Wo], gs): v.assign_sub(0.05 * g)
print(float(loss))
