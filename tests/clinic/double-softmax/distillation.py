import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
x = rng.normal(size=(32, 6)).astype("float32")
teacher_logits = rng.normal(size=(32, 4)).astype("float32") * 2
student = {"w": tf.Variable(tf.zeros([6, 4])), "b": tf.Variable(tf.zeros([4]))}
student["w"].assign(rng.normal(0, 0.2, size=(6, 4)).astype("float32"))


def normalise(scores):
    shifted = scores - tf.reduce_max(scores, axis=-1, keepdims=True)
    weights = tf.exp(shifted)
    return weights / tf.reduce_sum(weights, axis=-1, keepdims=True)  # cause


def student_forward(x, temperature=2.0):
    return normalise((x @ student["w"] + student["b"]) / temperature)  # cause


soft_targets = normalise(teacher_logits / 2.0)
with tf.GradientTape() as tape:
    pred = student_forward(x)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft_targets, logits=pred))  # cause
grads = tape.gradient(loss, student)
print("RESULT:", {k: float(tf.norm(g)) for k, g in grads.items()})
