import tensorflow as tf

tf.random.set_seed(0)
wx, wh = tf.Variable(tf.random.normal([2, 4])), tf.Variable(tf.random.normal([4, 4]))
out = tf.Variable(tf.random.normal([4, 1]))
state = tf.Variable(tf.zeros([1, 4]), trainable=False)
sequence = tf.random.normal([5, 1, 2])

with tf.GradientTape() as tape:
    for x in sequence:
        state.assign(tf.tanh(x @ wx + state @ wh))  # cause
    loss = tf.reduce_sum((state @ out - 1.0) ** 2)
print("RESULT:", tape.gradient(loss, [wx, wh, out]))
