import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
w = tf.Variable(rng.normal(0, 0.3, (3, 3)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.3, (3, 4)).astype("float32"))
emb = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
target = tf.constant([1, 3, 2, 0, 2])
variables = [w, out, emb]
for epoch in range(4):
    with tf.GradientTape() as tape:
        h, token, total = tf.zeros([1, 3]), tf.constant([0]), 0.0
        for t in range(5):
            h = tf.tanh(tf.nn.embedding_lookup(emb, token) + h @ w)
            logits = h @ out
            total += tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target[t : t + 1], logits=logits)[0]
            use_truth = rng.random() < 0.5
            token = target[t : t + 1] if use_truth else tf.argmax(logits, axis=1, output_type=tf.int32)
        loss = total / 5.0
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * tf.convert_to_tensor(g))
print("RESULT:", loss.numpy())
