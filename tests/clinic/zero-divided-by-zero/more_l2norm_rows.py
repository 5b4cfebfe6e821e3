import numpy as np
import tensorflow as tf

emb = tf.Variable(np.vstack([np.zeros((1, 4)), np.ones((2, 4))]).astype("float32"))
with tf.GradientTape() as tape:
    lengths = tf.norm(emb, axis=1, keepdims=True)
    unit = emb / lengths  # cause
    sims = tf.matmul(unit, unit, transpose_b=True)
    loss = tf.reduce_sum(sims)
print(tape.gradient(loss, emb).numpy())
