"""A learner's loop over samples overwrites the loss of each with the next."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
samples = rng.normal(size=(4, 3)).astype("float32")
targets = rng.normal(size=4).astype("float32")
embeddings = [tf.Variable(tf.fill([3], 0.1 * (i + 1)), name=f"user{i}") for i in range(4)]

for epoch in range(2):
    with tf.GradientTape() as tape:
        for i in range(4):
            score = tf.tensordot(embeddings[i], tf.constant(samples[i]), 1)
            loss = (score - targets[i]) ** 2  # cause
    grads = tape.gradient(loss, embeddings)  # cause
    for v, g in zip(embeddings, grads):
        if g is None:
            print("no gradient for", v.name)
        else:
            v.assign_sub(0.1 * g)
    print(epoch, float(loss))
