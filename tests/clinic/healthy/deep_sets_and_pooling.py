import numpy as np
import tensorflow as tf

rng = np.random.default_rng(45)
sets = [rng.normal(size=(n, 2)).astype("float32") for n in (3, 5, 2, 4)]
targets = np.array([s.max() for s in sets], "float32")
segment = np.repeat(np.arange(4), [len(s) for s in sets])
stacked = np.concatenate(sets)
phi = tf.Variable(rng.normal(0, 0.5, (2, 6)).astype("float32"))
rho = tf.Variable(rng.normal(0, 0.5, (6, 1)).astype("float32"))
for _ in range(10):
    with tf.GradientTape() as tape:
        h = tf.nn.softplus(stacked @ phi)
        pooled = tf.math.segment_max(h, segment)
        out = tf.squeeze(pooled @ rho, -1)
        loss = tf.reduce_mean((out - targets) ** 2)
    for v, g in zip([phi, rho], tape.gradient(loss, [phi, rho])):
        v.assign_sub(0.05 * g)
print("RESULT:", loss.numpy())
