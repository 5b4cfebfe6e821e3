import tensorflow as tf

tf.random.set_seed(1)
logits = tf.Variable([[0.1, 0.5, -0.2]])
with tf.GradientTape() as tape:
    u = tf.random.uniform([1, 3], minval=1e-6)
    noise = -tf.math.log(-tf.math.log(u))
    relaxed = tf.nn.softmax((logits + noise) / 0.5)
    hard = tf.one_hot(tf.argmax(relaxed, axis=-1), 3)
    choice = tf.stop_gradient(hard - relaxed) + relaxed
    loss = tf.reduce_sum(choice * tf.constant([[1.0, 2.0, 3.0]]))
print(tape.gradient(loss, logits).numpy())
