import tensorflow as tf

variables = [tf.Variable(1.0), tf.Variable(2.0)]
with tf.GradientTape() as tape:  # cause
    loss = variables[0] * variables[1]
for v in variables:
    v.assign_sub(0.1 * tape.gradient(loss, v))  # cause
print(variables)
