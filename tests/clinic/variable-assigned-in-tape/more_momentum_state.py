import tensorflow as tf

gain = tf.Variable(0.5)
memory = tf.Variable([0.0, 0.0], trainable=False)
xs = tf.constant([[1.0, 2.0], [0.5, 1.0], [2.0, 0.1]])
with tf.GradientTape() as tape:
    out = tf.zeros(2)
    for x in xs:
        memory.assign(gain * memory + x)  # cause
        out = out + gain * memory
    loss = tf.reduce_sum(out ** 2)
print(tape.gradient(loss, gain))
