"""Distillation: the student returns probabilities, and they are softened by a second softmax."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(41)
x = tf.constant(rng.normal(size=(16, 6)).astype("float32"))
teacher_logits = tf.constant(rng.normal(0, 3, size=(16, 4)).astype("float32"))
hard = tf.constant(rng.integers(0, 4, 16))
weights = {"a": tf.Variable(rng.normal(0, 0.4, (6, 10)).astype("float32")), "b": tf.Variable(rng.normal(0, 0.4, (10, 4)).astype("float32"))}


def student(x):
    return tf.nn.softmax(tf.nn.relu(x @ weights["a"]) @ weights["b"])


def distil(student_out, teacher_logits, T=3.0):
    soft_targets = tf.nn.softmax(teacher_logits / T)
    soft = tf.nn.log_softmax(student_out / T)  # cause
    return -T * T * tf.reduce_mean(tf.reduce_sum(soft_targets * soft, axis=1))


for step in range(3):
    with tf.GradientTape() as tape:
        out = student(x)
        picked = tf.gather(out, hard, batch_dims=1)
        loss = 0.7 * distil(out, teacher_logits) - 0.3 * tf.reduce_mean(tf.math.log(picked + 1e-7))
    for name, g in tape.gradient(loss, weights).items():
        weights[name].assign_sub(0.1 * g)
    print(step, loss.numpy())
