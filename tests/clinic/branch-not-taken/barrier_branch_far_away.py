import tensorflow as tf

position = tf.Variable([0.5, 0.5])
wall = tf.Variable(2.0)


def energy(p):
    gap = wall - tf.norm(p)
    total = tf.reduce_sum(p ** 2)
    close = tf.reduce_any(tf.abs(gap) < 0.1)
    if close:  # cause
        total += 1.0 / gap
    return total


with tf.GradientTape() as tape:
    e = energy(position)
dp, dwall = tape.gradient(e, [position, wall])
print("RESULT:", dp.numpy(), dwall)
