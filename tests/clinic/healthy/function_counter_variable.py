import tensorflow as tf

step = tf.Variable(0, dtype=tf.int64, trainable=False)
w = tf.Variable(2.0)
LOG_EVERY = 2
logged = []


def learning_rate():
    return 0.1 / (1.0 + tf.cast(step, tf.float32))


@tf.function
def train(x):
    with tf.GradientTape() as tape:
        loss = (w * x - 1.0) ** 2
    w.assign_sub(learning_rate() * tape.gradient(loss, w))
    step.assign_add(1)
    return loss


for i in range(6):
    loss = train(tf.constant(0.5))
    if i % LOG_EVERY == 0:
        logged.append(float(loss))
print("RESULT:", logged)
