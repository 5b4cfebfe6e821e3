import tensorflow as tf

w, scale = tf.Variable([1.0, -2.0]), tf.Variable(1.5)


def penalty(v):
    size = tf.reduce_sum(tf.abs(v)) * scale
    if float(size) > 2.0:
        return 4.0 * (size - 1.0)
    return size**2


for _ in range(5):
    with tf.GradientTape() as tape:
        loss = penalty(w) + 0.1 * tf.reduce_sum((w - 1.0) ** 2)
    gw, gs = tape.gradient(loss, [w, scale])
    w.assign_sub(0.1 * gw)
    scale.assign_sub(0.01 * gs)
print(w.numpy(), scale.numpy())
