import tensorflow as tf

tf.random.set_seed(0)
theta = [tf.Variable(tf.random.normal([2])) for _ in range(3)]


def loss_of(theta):
    return tf.add_n([tf.reduce_sum((t - i) ** 2) for i, t in enumerate(theta)])


history = []
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = loss_of(theta)
    grads = tape.gradient(loss, theta)
    history.append(grads)
    if grads[0] is not None:
        theta = [t - 0.1 * g for t, g in zip(theta, grads)]  # cause
print("RESULT:", history[-1])
