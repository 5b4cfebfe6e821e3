import tensorflow as tf

w = tf.Variable([1.0, -2.0, 0.5])
x = tf.constant([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]])
y = tf.constant([1.0, 0.0])


@tf.function
def train_step():
    smooth = tf.reduce_sum((w[1:] - w[:-1]) ** 2)  # cause
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        loss = fit + 0.5 * smooth
    grad = tape.gradient(loss, w)
    w.assign_sub(0.1 * grad)
    return loss


for _ in range(10):
    loss = train_step()
print("RESULT:", w.numpy())
