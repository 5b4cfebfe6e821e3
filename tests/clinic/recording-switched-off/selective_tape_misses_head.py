import numpy as np
import tensorflow as tf

rng = np.random.default_rng(30)
body = tf.Variable(rng.normal(0, 0.3, (4, 4)).astype("float32"), name="body")
head = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"), name="head")
x, y = rng.normal(size=(6, 4)).astype("float32"), rng.normal(size=(6, 1)).astype("float32")


def tape_for(variables):
    tape = tf.GradientTape(watch_accessed_variables=False)  # cause
    return tape


def step(trained):
    with tape_for(trained) as tape:
        tape.watch(head)
        loss = tf.reduce_mean((tf.tanh(x @ body) @ head - y) ** 2)
    return tape.gradient(loss, trained)


print("RESULT:", step([body, head])[0])
