import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
shared = tf.Variable(rng.normal(0, 0.3, (4, 5)).astype("float32"))
heads = [tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32")) for _ in range(2)]
x = rng.normal(size=(12, 4)).astype("float32")
ys = [rng.normal(size=(12, 1)).astype("float32"), 10 * rng.normal(size=(12, 1)).astype("float32")]
weights = [1.0, 1.0]
for step in range(5):
    with tf.GradientTape(persistent=True) as tape:
        h = tf.tanh(x @ shared)
        losses = [tf.reduce_mean((h @ head - y) ** 2) for head, y in zip(heads, ys)]
        total = tf.add_n([w * l for w, l in zip(weights, losses)])
    norms = [float(tf.norm(tape.gradient(l, shared))) for l in losses]
    grads = tape.gradient(total, [shared, *heads])
    del tape
    mean = np.mean([w * n for w, n in zip(weights, norms)])
    weights = [0.9 * w + 0.1 * mean / n for w, n in zip(weights, norms)]
    for v, g in zip([shared, *heads], grads):
        v.assign_sub(0.02 * g)
print("RESULT:", total.numpy(), weights)
