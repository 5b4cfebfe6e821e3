import tensorflow as tf

w = tf.Variable([[0.5, -0.2], [0.3, 0.8]])
history = []


@tf.function
def unrolled(x, steps):
    states = [x]
    for i in range(steps):
        states.append(tf.tanh(states[-1] @ w))
    return tf.add_n([s * (i + 1.0) for i, s in enumerate(states)])


@tf.function(reduce_retracing=True)
def train_step(x, lr):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(unrolled(x, 3) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(lr * g)
    return loss


x = tf.ones([2, 2])
for i in range(5):
    lr = 0.1 * 0.9 ** i
    loss = train_step(x, tf.constant(lr))
    history.append(float(loss))
print("RESULT:", history[-1])
