import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
design = rng.normal(size=(20, 3))
response = design @ np.array([1.0, 0.0, -1.0])
log_lambda = tf.Variable(0.0, dtype=tf.float64)


def ridge_solution(lam):
    gram = design.T @ design + lam * np.eye(3)
    return np.linalg.solve(gram, design.T @ response)  # cause


def validation_error(log_lambda):
    beta = ridge_solution(tf.exp(log_lambda))  # cause
    held_out = rng.normal(size=(10, 3))
    residual = tf.linalg.matvec(held_out, beta) - held_out @ np.array([1.0, 0.0, -1.0])
    return tf.reduce_mean(residual ** 2)


with tf.GradientTape() as tape:
    error = validation_error(log_lambda)
print("RESULT:", tape.gradient(error, log_lambda))
