import tensorflow as tf

logits = tf.Variable([[0.1, 0.9, 0.3]])
prices = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    choice = tf.one_hot(tf.argmax(logits, axis=-1), 3)  # cause
    cost = tf.reduce_sum(choice * prices)
print(tape.gradient(cost, logits))
