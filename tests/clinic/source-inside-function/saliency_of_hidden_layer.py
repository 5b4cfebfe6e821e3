import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
kernel = tf.Variable(rng.normal(0, 0.4, (6, 4)).astype("float32"))
head = tf.Variable(rng.normal(0, 0.4, (4, 2)).astype("float32"))


@tf.function
def classify(batch):
    features = tf.nn.relu(batch @ kernel)
    logits = features @ head
    return {"features": features, "logits": logits}


batch = tf.constant(rng.normal(size=(5, 6)).astype("float32"))
with tf.GradientTape() as tape:
    out = classify(batch)  # cause
    chosen = out["logits"][:, 1]
saliency = tape.gradient(chosen, out["features"])
print("RESULT:", saliency)
