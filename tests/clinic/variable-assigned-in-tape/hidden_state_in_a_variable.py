import tensorflow as tf

w = tf.Variable(0.9)
state = tf.Variable(0.0, trainable=False)
inputs = [1.0, 0.5, 0.25]
with tf.GradientTape() as tape:
    for u in inputs:
        state.assign(tf.tanh(w * state + u))  # cause
    loss = (w * state - 1.0) ** 2
print(tape.gradient(loss, w).numpy())
