import tensorflow as tf

tf.random.set_seed(5)
weights = [tf.Variable(tf.random.normal([3, 4])), tf.Variable(tf.random.normal([4, 1]))]
velocity = [tf.zeros_like(w) for w in weights]
x, y = tf.random.normal([10, 3]), tf.random.normal([10, 1])


def loss_of(ws):
    return tf.reduce_mean((tf.tanh(x @ ws[0]) @ ws[1] - y) ** 2)


for step in range(2):
    with tf.GradientTape() as tape:
        loss = loss_of(weights)
    grads = tape.gradient(loss, weights)
    if None in grads:
        break
    for i, g in enumerate(grads):
        velocity[i] = 0.9 * velocity[i] - 0.1 * g
        weights[i] = weights[i] + velocity[i]  # cause
print("RESULT:", grads)
