"""A learner starts a quadratic at an integer and takes a gradient step by hand."""
import tensorflow as tf


def cost(position):
    shifted = position - 4
    return shifted * shifted + 3


def descend(start, rate, steps):
    position = tf.constant(start)  # cause
    for i in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(position)
            value = cost(position)
        slope = tape.gradient(value, position)
        print(i, position.numpy(), value.numpy(), slope)
        if slope is None:
            print("no slope, giving up")
            break
        position = position - rate * slope
    return position


starts = [0, 10, -3]
ends = []
for start in starts:
    ends.append(descend(start, 1, 3))
print("minima:", [end.numpy() for end in ends])
best = min(ends, key=lambda end: cost(end).numpy())
print("best:", best.numpy())
