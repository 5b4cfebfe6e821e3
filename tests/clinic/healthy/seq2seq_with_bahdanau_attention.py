"""A small translator: additive attention, padding masked with a large negative number, teacher forcing."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(32)


def var(*shape):
    return tf.Variable(rng.normal(0, 0.3, shape).astype("float32"))


E, H, V = 4, 6, 9
p = {
    "src": var(V, E), "tgt": var(V, E), "enc": var(E + H, H), "dec": var(E + H + H, H),
    "wa": var(H, H), "ua": var(H, H), "va": var(H, 1), "out": var(H, V),
}  # fmt: skip
source = tf.constant([[3, 4, 5, 0], [6, 7, 0, 0], [2, 8, 4, 3]])
goal = tf.constant([[1, 5, 4, 2], [1, 7, 2, 0], [1, 3, 2, 0]])


def encode(tokens):
    h, states = tf.zeros((tokens.shape[0], H)), []
    x = tf.gather(p["src"], tokens)
    for t in range(tokens.shape[1]):
        new = tf.tanh(tf.concat([x[:, t], h], 1) @ p["enc"])
        keep = tf.cast(tokens[:, t : t + 1] != 0, tf.float32)
        h = keep * new + (1.0 - keep) * h
        states.append(h)
    return tf.stack(states, 1), h


def attend(h, states, mask):
    energy = tf.squeeze(tf.tanh(states @ p["ua"] + (h @ p["wa"])[:, None]) @ p["va"], -1)
    weights = tf.nn.softmax(energy + (1.0 - mask) * -1e9)
    return tf.einsum("bt,bth->bh", weights, states)


for _ in range(3):
    with tf.GradientTape() as tape:
        states, h = encode(source)
        mask = tf.cast(source != 0, tf.float32)
        total, count = 0.0, 0.0
        for t in range(3):
            context = attend(h, states, mask)
            h = tf.tanh(tf.concat([tf.gather(p["tgt"], goal[:, t]), context, h], 1) @ p["dec"])
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=goal[:, t + 1], logits=h @ p["out"])
            real = tf.cast(goal[:, t + 1] != 0, tf.float32)
            total, count = total + tf.reduce_sum(each * real), count + tf.reduce_sum(real)
        loss = total / count
    grads = tape.gradient(loss, p)
    for name in p:
        p[name].assign_sub(0.1 * tf.convert_to_tensor(grads[name]))
    print(loss.numpy())
