"""Ray tracing: the position is cast to an index to look the sound speed up."""
import numpy as np
import tensorflow as tf

depths = np.linspace(0, 1000, 101).astype("float32")
speeds = tf.constant((1500 + 0.016 * depths - 12 * np.exp(-depths / 200)).astype("float32"))


def speed_at(depth):
    index = tf.cast(depth / 10.0, tf.int32)  # cause
    return tf.gather(speeds, index)


def travel_time(launch_depth, layers=5):
    total = 0.0
    depth = launch_depth
    for k in range(layers):
        total += 10.0 / speed_at(depth + 10.0 * k)
    return total


launch = tf.Variable(123.0)
measured = tf.constant(0.0334)
for step in range(3):
    with tf.GradientTape() as tape:
        error = (travel_time(launch) - measured) ** 2
    slope = tape.gradient(error, launch)
    print(step, float(error), slope)
    if slope is not None:
        launch.assign_sub(1e6 * slope)
