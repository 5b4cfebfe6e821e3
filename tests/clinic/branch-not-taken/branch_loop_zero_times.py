import tensorflow as tf

decay = tf.Variable(0.9)
start = tf.Variable(3.0)
LAYERS = 0


def roll(x):
    for _ in range(LAYERS):  # cause
        x = x * decay  # cause
    return x


with tf.GradientTape() as tape:
    y = roll(start) ** 2
print(tape.gradient(y, [start, decay]))
