import tensorflow as tf

rates = tf.Variable([0.01, 0.02, 0.03])
cash = [100.0, 100.0, 1100.0]
with tf.GradientTape() as tape:
    discounted = [c / (1.0 + r.numpy()) ** (i + 1) for i, (c, r) in enumerate(zip(cash, rates))]  # cause
    value = tf.add_n([tf.constant(d) for d in discounted])
print(tape.gradient(value, rates))
