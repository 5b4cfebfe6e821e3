"""Mean teacher: the consistency weight starts at 0, and the teacher is an average that takes no gradient."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
student = {"w": tf.Variable(rng.normal(0, 0.4, (4, 3)).astype("float32")), "b": tf.Variable(tf.zeros(3))}
teacher = {name: tf.Variable(v, trainable=False) for name, v in student.items()}
labelled = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
labels = tf.constant(rng.integers(0, 3, size=6))
unlabelled = tf.constant(rng.normal(size=(20, 4)).astype("float32"))


def logits(params, x):
    return x @ params["w"] + params["b"]


def ramp(step, length=5):
    return float(np.exp(-5.0 * (1.0 - min(step, length) / length) ** 2)) if step else 0.0


for step in range(6):
    with tf.GradientTape() as tape:
        supervised = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits(student, labelled)))
        noisy = unlabelled + tf.random.normal(unlabelled.shape, stddev=0.1, seed=step)
        agreement = tf.reduce_mean((tf.nn.softmax(logits(student, noisy)) - tf.nn.softmax(logits(teacher, unlabelled))) ** 2)
        loss = supervised + ramp(step) * agreement
    grads = tape.gradient(loss, student)
    for name, variable in student.items():
        variable.assign_sub(0.2 * grads[name])
        teacher[name].assign(0.9 * teacher[name] + 0.1 * variable)
    print(step, loss.numpy())
