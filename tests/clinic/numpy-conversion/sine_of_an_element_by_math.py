import numpy as np, tensorflow as tf
import math
p = tf.Variable([0.3, 1.2, 0.7])
def curve(p, ts):
    a, b, c = p[0], p[1], p[2]
    out = []
    for t in ts:
        out.append(a * math.sin(b * t) + c)  # cause
    return tf.stack(out)
with tf.GradientTape() as tape:
    y = curve(p, [0.1, 0.5, 0.9])
    loss = tf.reduce_sum((y - [0.4, 0.6, 0.8]) ** 2)
print(tape.gradient(loss, p))
