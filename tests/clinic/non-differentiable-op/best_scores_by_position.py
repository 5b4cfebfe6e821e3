import tensorflow as tf

scores = tf.Variable([0.1, 0.9, 0.4, 0.7])
payoffs = tf.constant([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    _, best = tf.math.top_k(scores, k=2)  # cause
    loss = -tf.reduce_sum(tf.gather(payoffs, best))
print(tape.gradient(loss, scores))
