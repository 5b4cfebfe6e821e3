import tensorflow as tf

hot = tf.Variable(0.5)
cold = tf.Variable(0.2)
temperature = tf.constant(12.0)

with tf.GradientTape() as tape:
    demand = tf.cond(temperature > 20.0, lambda: hot * temperature, lambda: cold * temperature)  # cause
    loss = (demand - 4.0) ** 2
print(tape.gradient(loss, {"hot": hot, "cold": cold}))
