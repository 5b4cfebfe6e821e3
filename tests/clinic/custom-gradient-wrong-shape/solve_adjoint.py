import tensorflow as tf


@tf.custom_gradient
def implicit_solve(matrix, rhs):
    solution = tf.linalg.solve(matrix, rhs)

    def adjoint(upstream):
        lam = tf.linalg.solve(tf.transpose(matrix), upstream)
        d_matrix = -tf.reduce_sum(lam * solution, axis=1)
        return d_matrix, lam  # cause

    return solution, adjoint


stiffness = tf.Variable([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
load = tf.constant([[1.0], [2.0], [0.5]])

with tf.GradientTape() as tape:
    displacement = implicit_solve(stiffness, load)
    compliance = tf.reduce_sum(load * displacement)
sensitivity = tape.gradient(compliance, stiffness)
print("RESULT:", sensitivity)
