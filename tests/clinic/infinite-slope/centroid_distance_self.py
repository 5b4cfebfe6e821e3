import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
points = rng.normal(size=(5, 2)).astype("float32")
centres = tf.Variable(points[:3])


def soft_kmeans(c):
    gaps = points[:, None, :] - c[None, :, :]
    distance = tf.norm(gaps, axis=-1)  # cause
    weight = tf.nn.softmax(-distance, axis=1)
    return tf.reduce_sum(weight * distance)


for step in range(3):
    with tf.GradientTape() as tape:
        loss = soft_kmeans(centres)
    centres.assign_sub(0.1 * tape.gradient(loss, centres))
print("RESULT:", centres.numpy())
