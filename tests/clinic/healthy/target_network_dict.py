import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
online = {k: tf.Variable(rng.normal(size=s).astype("float32")) for k, s in {"w": (4, 3), "b": (3,)}.items()}
target = {k: tf.Variable(v) for k, v in online.items()}


def q(p, s):
    return s @ p["w"] + p["b"]


for step in range(6):
    s = tf.constant(rng.normal(size=(8, 4)).astype("float32"))
    s2 = tf.constant(rng.normal(size=(8, 4)).astype("float32"))
    a = tf.constant(rng.integers(0, 3, size=8))
    r = tf.constant(rng.normal(size=8).astype("float32"))
    bootstrap = r + 0.9 * tf.reduce_max(q(target, s2), axis=1)
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(q(online, s) * tf.one_hot(a, 3), axis=1)
        loss = tf.reduce_mean((bootstrap - chosen) ** 2)
    grads = tape.gradient(loss, online)
    for name in online:
        online[name].assign_sub(0.05 * grads[name])
    if step % 3 == 2:
        for name in online:
            target[name].assign(0.5 * target[name] + 0.5 * online[name])
print("RESULT:", loss.numpy())
