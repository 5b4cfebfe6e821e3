"""A functional model takes a list of tensors, which is read from the variables before the tape begins."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(107)
variables = {"w": tf.Variable(rng.normal(0, 0.4, (4, 3)).astype("float32")), "b": tf.Variable(tf.zeros(3))}
x = tf.constant(rng.normal(size=(9, 4)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 9))


def as_tensors(variables):
    return {name: tf.identity(v) for name, v in variables.items()}


def apply(params, x):
    return x @ params["w"] + params["b"]


def loss_of(params):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=apply(params, x)))


for _ in range(2):
    params = as_tensors(variables)  # cause
    with tf.GradientTape() as tape:
        loss = loss_of(params)
    grads = tape.gradient(loss, variables)
    for name, v in variables.items():
        if grads[name] is not None:
            v.assign_sub(0.1 * grads[name])
    print(loss.numpy())
