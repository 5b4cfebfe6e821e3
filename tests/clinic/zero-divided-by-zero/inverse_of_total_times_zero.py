import tensorflow as tf

votes = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    inverse = 1.0 / tf.reduce_sum(votes)  # cause
    share = votes * inverse
    loss = tf.reduce_sum(share)
print(tape.gradient(loss, votes))
