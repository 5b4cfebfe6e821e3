import numpy as np
import tensorflow as tf

grid = tf.convert_to_tensor(np.arange(5))  # cause
with tf.GradientTape() as tape:
    tape.watch(grid)  # cause
    wave = tf.sin(0.3 * tf.cast(grid, tf.float32))  # cause
print(tape.gradient(wave, grid))
