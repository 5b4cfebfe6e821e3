import tensorflow as tf
scores = tf.Variable([[50.0, 100.0], [2.0, 1.0]])
gold = tf.constant([0, 1])
with tf.GradientTape() as tape:
    log_z = tf.math.log(tf.reduce_sum(tf.exp(scores), axis=1))  # cause
    picked = tf.gather(scores, gold, axis=1, batch_dims=1)
    loss = tf.reduce_mean(log_z - picked)
print(tape.gradient(loss, scores))
