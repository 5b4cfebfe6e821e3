import tensorflow as tf

w = tf.Variable([0.5, -0.5])


@tf.function
def forward(x):
    hidden = tf.tanh(x * w)
    return hidden, tf.reduce_sum(hidden ** 2)


x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    hidden, energy = forward(x)  # cause
print("RESULT:", tape.gradient(energy, hidden))  # cause
