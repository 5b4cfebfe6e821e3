import tensorflow as tf

used = tf.Variable(2.0)
optional = tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = used ** 2
print(tape.gradient(loss, [used, optional], unconnected_gradients="zero"))
