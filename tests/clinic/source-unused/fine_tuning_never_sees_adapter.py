import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
base = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"), name="base")
adapter = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"), name="adapter")  # cause
x = rng.normal(size=(8, 4)).astype("float32")


def joint():
    return tf.tanh(x @ base) @ adapter


def finetune():
    return tf.tanh(x @ base)


for model in (joint, joint, finetune):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model() - 1.0) ** 2)  # cause
    grads = tape.gradient(loss, [base, adapter])
    base.assign_sub(0.1 * grads[0])
print("RESULT:", grads[1])
