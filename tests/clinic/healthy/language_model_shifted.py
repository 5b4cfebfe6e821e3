import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
emb = tf.Variable(rng.normal(size=(11, 6)).astype("float32") * 0.3)
out = tf.Variable(rng.normal(size=(6, 11)).astype("float32") * 0.3)
tokens = rng.integers(1, 11, size=(4, 7))
tokens[1, 5:] = 0
tokens[3, 3:] = 0
opt_state = {"m": [tf.zeros_like(v) for v in (emb, out)]}
for _ in range(3):
    with tf.GradientTape() as tape:
        x, y = tokens[:, :-1], tokens[:, 1:]
        logits = tf.nn.embedding_lookup(emb, x) @ out
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        mask = tf.cast(y != 0, tf.float32)
        loss = tf.reduce_sum(ce * mask) / tf.reduce_sum(mask)
    grads = [tf.convert_to_tensor(g) for g in tape.gradient(loss, [emb, out])]
    opt_state["m"] = [0.9 * m + g for m, g in zip(opt_state["m"], grads)]
    for v, m in zip([emb, out], opt_state["m"]):
        v.assign_sub(0.1 * m)
perplexity = float(tf.exp(loss))
print("RESULT:", perplexity)
