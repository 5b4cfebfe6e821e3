"""A persistent tape is asked again and again: for other targets, for other upstream gradients, and for an anchor that does not move."""
import tensorflow as tf

x = tf.Variable([0.5, -1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = tf.sin(x) * x
    parts = [y[0], y[1], y[2]]
rows = [tape.gradient(part, x) for part in parts]
along = [tape.gradient(y, x, output_gradients=tf.one_hot(i, 3)) for i in range(3)]
again = [tape.gradient(y, x).numpy() for _ in range(5)]
print(tf.stack(rows).numpy(), tf.stack(along).numpy(), len(again))
