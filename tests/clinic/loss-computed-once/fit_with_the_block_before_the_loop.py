"""The loss of a fit is recorded once; the tape was made persistent because the second step failed."""
import tensorflow as tf

slope, offset = tf.Variable(0.0), tf.Variable(0.0)
x = tf.linspace(0.0, 1.0, 20)
y = 3.0 * x + 1.0

with tf.GradientTape(persistent=True) as tape:
    error = tf.reduce_mean((slope * x + offset - y) ** 2)

for epoch in range(30):
    d_slope = tape.gradient(error, slope)  # cause
    d_offset = tape.gradient(error, offset)
    slope.assign_sub(0.1 * d_slope)
    offset.assign_sub(0.1 * d_offset)
print(slope.numpy(), offset.numpy())
