import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
x, y = rng.normal(size=(20, 3)).astype("float32"), rng.normal(size=(20, 1)).astype("float32")
params = [tf.Variable(rng.normal(0, 0.3, (3, 4)).astype("float32")), tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))]


def loss_fn():
    return tf.reduce_mean((tf.tanh(x @ params[0]) @ params[1] - y) ** 2)


for step in range(5):
    with tf.GradientTape() as tape:
        loss = loss_fn()
    grads = tape.gradient(loss, params)
    norm = tf.linalg.global_norm(grads)
    shifts = [0.05 * g / (norm + 1e-12) for g in grads]
    for p, e in zip(params, shifts):
        p.assign_add(e)
    with tf.GradientTape() as tape:
        perturbed = loss_fn()
    sharp = tape.gradient(perturbed, params)
    for p, e, g in zip(params, shifts, sharp):
        p.assign_sub(e)
        p.assign_sub(0.1 * g)
print("RESULT:", loss.numpy(), perturbed.numpy())
