import random

import tensorflow as tf

w = tf.Variable([0.2, 0.4, 0.6])


@tf.function
def forward(x):
    keep = 1.0 if random.random() < 0.5 else 0.0
    share = random.uniform(0.1, 0.9)  # cause
    return tf.reduce_sum(w * x) * share + keep


total = 0.0
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = forward(tf.constant([1.0, 2.0, 3.0]))
    w.assign_sub(0.01 * tape.gradient(loss, w))
print("RESULT:", w.numpy())
