import tensorflow as tf

w = tf.Variable([1.0, -1.0])
history = []


@tf.function
def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 2.0) ** 2)  # cause
    history.append(loss)  # cause
    w.assign_sub(0.1 * tape.gradient(loss, w))


for epoch in range(4):
    train(tf.constant([0.5, 1.5]))
print("RESULT:", len(history), w.numpy())
