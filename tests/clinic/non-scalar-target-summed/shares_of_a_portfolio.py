import tensorflow as tf

holdings = tf.Variable([10.0, 30.0, 60.0])
with tf.GradientTape() as tape:
    shares = holdings / tf.reduce_sum(holdings)  # cause
print(tape.gradient(shares, holdings).numpy())  # cause
