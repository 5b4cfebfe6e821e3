import tensorflow as tf

w = tf.Variable(1.0)


@tf.function
def step(x, epoch):
    with tf.GradientTape() as tape:
        loss = (w * x - 3.0) ** 2 / (1.0 + epoch)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


for epoch in range(10):
    loss = step(tf.constant(2.0), epoch)  # cause
print("RESULT:", loss.numpy())
