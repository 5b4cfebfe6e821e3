import tensorflow as tf

w, b = tf.Variable([1.0, -2.0]), tf.Variable([0.5, 0.5])
slow = [tf.Variable(v) for v in (w, b)]


def loss_of():
    return tf.reduce_sum(tf.sin(w) * b + (w - b) ** 2)


for step in range(6):
    with tf.GradientTape() as tape:
        loss = loss_of()
    grads = tape.gradient(loss, [w, b])
    norm = tf.linalg.global_norm(grads)
    for v, g in zip([w, b], grads):
        v.assign_add(0.05 * g / norm)
    with tf.GradientTape() as tape:
        sharp = loss_of()
    sharp_grads = tape.gradient(sharp, [w, b])
    for v, g, s in zip([w, b], grads, sharp_grads):
        v.assign_sub(0.05 * g / norm)
        v.assign_sub(0.1 * s)
    if step % 3 == 2:
        for v, kept in zip([w, b], slow):
            kept.assign_add(0.5 * (v - kept))
            v.assign(kept)
print(loss.numpy())
