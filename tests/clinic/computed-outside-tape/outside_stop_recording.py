import tensorflow as tf

mu = tf.Variable([0.1, 0.4])
with tf.GradientTape() as tape:
    with tape.stop_recording():  # cause
        centred = mu - tf.reduce_mean(mu)  # cause
    loss = tf.reduce_sum(centred ** 2)
print(tape.gradient(loss, mu))
