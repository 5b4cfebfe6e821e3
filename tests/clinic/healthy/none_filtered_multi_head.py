import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
trunk = tf.Variable(rng.normal(0, 0.3, (4, 6)).astype("float32"), name="trunk")
heads = {name: tf.Variable(rng.normal(0, 0.3, (6, 1)).astype("float32"), name=name) for name in ("price", "age", "size")}
variables = [trunk, *heads.values()]
x = rng.normal(size=(10, 4)).astype("float32")
labels = {name: rng.normal(size=(10, 1)).astype("float32") for name in heads}


def task_loss(task):
    return tf.reduce_mean((tf.tanh(x @ trunk) @ heads[task] - labels[task]) ** 2)


for step, task in enumerate(["price", "age", "size", "price"]):
    with tf.GradientTape() as tape:
        loss = task_loss(task)
    grads = tape.gradient(loss, variables)
    pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
    for g, v in pairs:
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy(), len(pairs))
