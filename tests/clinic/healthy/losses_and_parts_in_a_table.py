"""Two players with two variables each, asked in a plan of losses, where some pairs have no gradient."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)


def dense(a, b):
    return [tf.Variable(rng.normal(0, 0.4, (a, b)).astype("float32")), tf.Variable(tf.zeros(b))]


nets = {"enc": dense(4, 3), "dec": dense(3, 4), "cls": dense(3, 2)}


def run(n, x):
    return x @ nets[n][0] + nets[n][1]


for it in range(4):
    x = tf.constant(rng.normal(size=(8, 4)).astype("float32"))
    y = tf.constant(rng.integers(0, 2, 8))
    with tf.GradientTape(persistent=True) as tape:
        z = tf.tanh(run("enc", x))
        rec = tf.reduce_mean((run("dec", z) - x) ** 2)
        ce = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, run("cls", z)))
    for loss, weight in ((rec, 1.0), (ce, 0.5)):
        for name in ("enc", "dec", "cls"):
            for v, g in zip(nets[name], tape.gradient(loss, nets[name])):
                if g is not None:
                    v.assign_sub(0.1 * weight * g)
    del tape
    print(float(rec), float(ce))
