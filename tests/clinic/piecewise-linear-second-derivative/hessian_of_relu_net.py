import tensorflow as tf

tf.random.set_seed(8)
w1, w2 = tf.random.normal([2, 16]), tf.random.normal([16, 1])


def potential(q):
    return tf.reduce_sum(tf.nn.relu(q @ w1) @ w2)  # cause


q = tf.Variable([[0.3, -0.4]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        u = potential(q)
    force = inner.gradient(u, q)
hessian = outer.jacobian(force, q)
print("RESULT:", hessian)
