import tensorflow as tf

q = tf.Variable([0.2, 0.5, -0.3])
goal = tf.constant([1.5, 1.0])
for _ in range(6):
    with tf.GradientTape() as tape:
        a = tf.cumsum(q)
        p = tf.stack([tf.reduce_sum(tf.cos(a)), tf.reduce_sum(tf.sin(a))])
    J = tape.jacobian(p, q)
    error = goal - p
    dq = tf.linalg.matvec(tf.linalg.pinv(J), error)
    q.assign_add(0.5 * dq)
print("RESULT:", float(tf.norm(error)))
