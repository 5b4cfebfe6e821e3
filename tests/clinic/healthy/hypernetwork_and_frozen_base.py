"""A hypernetwork makes the weights of a layer; the base is frozen by leaving it out of the list."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(33)
base = tf.Variable(rng.normal(0, 0.4, (4, 6)).astype("float32"))
tasks = tf.Variable(rng.normal(0, 0.4, (3, 2)).astype("float32"))
hyper = tf.Variable(rng.normal(0, 0.4, (2, 6)).astype("float32"))
x = tf.constant(rng.normal(size=(3, 10, 4)).astype("float32"))
y = tf.constant(rng.normal(size=(3, 10, 1)).astype("float32"))


def predict(task, x):
    made = tf.reshape(tasks[task : task + 1] @ hyper, (6, 1))
    return tf.nn.relu(x @ base) @ made


trained = {"tasks": tasks, "hyper": hyper}
moments = {name: [tf.zeros_like(v), tf.zeros_like(v)] for name, v in trained.items()}
for step in range(1, 5):
    with tf.GradientTape() as tape:
        losses = [tf.reduce_mean((predict(i, x[i]) - y[i]) ** 2) for i in range(3)]
        loss = tf.add_n(losses) / 3.0
    grads = tape.gradient(loss, trained)
    for name, v in trained.items():
        m, s = moments[name]
        m, s = 0.9 * m + 0.1 * grads[name], 0.99 * s + 0.01 * grads[name] ** 2
        moments[name] = [m, s]
        v.assign_sub(0.05 * (m / (1 - 0.9**step)) / (tf.sqrt(s / (1 - 0.99**step)) + 1e-8))
    print(step, loss.numpy())
