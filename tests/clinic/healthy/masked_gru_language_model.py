import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
VOCAB, EMB, UNITS = 12, 5, 6
sentences = [[3, 4, 5], [7, 8], [1, 2, 9, 10, 11]]
longest = max(len(s) for s in sentences)
tokens = np.zeros((len(sentences), longest), dtype=np.int32)
for i, s in enumerate(sentences):
    tokens[i, : len(s)] = s
inputs, targets = tokens[:, :-1], tokens[:, 1:]
mask = tf.cast(targets != 0, tf.float32)

emb = tf.Variable(tf.random.normal([VOCAB, EMB], stddev=0.1))
wz = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
wr = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
wh = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
out = tf.Variable(tf.random.normal([UNITS, VOCAB], stddev=0.3))
params = [emb, wz, wr, wh, out]


def step(h, x):
    hx = tf.concat([x, h], axis=-1)
    z, r = tf.sigmoid(hx @ wz), tf.sigmoid(hx @ wr)
    cand = tf.tanh(tf.concat([x, r * h], axis=-1) @ wh)
    return (1.0 - z) * h + z * cand


history = []
for epoch in range(5):
    with tf.GradientTape() as tape:
        x = tf.nn.embedding_lookup(emb, inputs)
        h = tf.zeros([x.shape[0], UNITS])
        logits = []
        for t in range(x.shape[1]):
            new = step(h, x[:, t])
            keep = mask[:, t : t + 1]
            h = keep * new + (1.0 - keep) * h
            logits.append(h @ out)
        logits = tf.stack(logits, axis=1)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
        loss = tf.reduce_sum(ce * mask) / tf.reduce_sum(mask)
    grads = tape.gradient(loss, params)
    dense = [tf.convert_to_tensor(g) for g in grads]
    clipped, norm = tf.clip_by_global_norm(dense, 1.0)
    for p, g in zip(params, clipped):
        p.assign_sub(0.5 * g)
    predicted = tf.argmax(logits, axis=-1, output_type=tf.int32)
    hits = tf.cast(predicted == targets, tf.float32) * mask
    accuracy = float(tf.reduce_sum(hits) / tf.reduce_sum(mask))
    history.append((float(loss), float(norm), accuracy))
print("RESULT:", np.round(history[-1], 4))
