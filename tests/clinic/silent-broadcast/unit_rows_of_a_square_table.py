import tensorflow as tf

table = tf.Variable([[1.0, 2.0], [0.5, -1.0]])


def unit_rows(m):
    lengths = tf.sqrt(tf.reduce_sum(m**2, axis=1) + 1e-9)
    return m / lengths  # cause


@tf.function
def step():
    with tf.GradientTape() as tape:
        u = unit_rows(table)
        loss = tf.reduce_sum((tf.matmul(u, u, transpose_b=True) - tf.eye(2)) ** 2)
    table.assign_sub(0.1 * tape.gradient(loss, table))
    return loss


for _ in range(3):
    print(float(step()))
