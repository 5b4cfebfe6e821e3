"""A leapfrog step: the momentum moves along the gradient for the position, then a tape of its own gives that for the momentum."""
import tensorflow as tf

q, p = tf.Variable([1.0, 0.0]), tf.Variable([0.0, 0.8])


def H():
    return 0.5 * tf.reduce_sum(p**2) - 1.0 / tf.norm(q)


e0 = float(H())
for _ in range(200):
    with tf.GradientTape() as tape:
        h = H()
    dq, dp = tape.gradient(h, [q, p])
    p.assign_sub(0.01 * dq)
    with tf.GradientTape() as tape:
        h = H()
    q.assign_add(0.01 * tape.gradient(h, p))
assert abs(float(H()) - e0) < 0.02
