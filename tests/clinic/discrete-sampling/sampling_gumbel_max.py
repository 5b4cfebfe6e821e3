import tensorflow as tf

tf.random.set_seed(0)
logits = tf.Variable([[0.1, 0.5, 0.2]])
values = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    noise = -tf.math.log(-tf.math.log(tf.random.uniform([4, 3])))
    picks = tf.argmax(logits + noise, axis=1)  # cause
    reward = tf.reduce_mean(tf.gather(values, picks))
print(tape.gradient(reward, logits))
