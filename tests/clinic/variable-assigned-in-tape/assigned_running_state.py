import tensorflow as tf

w = tf.Variable(0.5)
state = tf.Variable(0.0, trainable=False)
with tf.GradientTape() as tape:
    for x in (1.0, 2.0, 3.0):
        state.assign(0.9 * state + w * x)  # cause
    loss = (state - 1.0) ** 2  # cause
print(tape.gradient(loss, w))
