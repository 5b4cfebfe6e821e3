import functools
import numpy as np
import tensorflow as tf


def as_tf(func):
    @functools.wraps(func)
    def wrapper(*tensors):
        return tf.numpy_function(func, tensors, tf.float32)  # cause

    return wrapper


@as_tf
def rank_correlation(a, b):
    ra = np.argsort(np.argsort(a))
    rb = np.argsort(np.argsort(b))
    return np.float32(np.corrcoef(ra, rb)[0, 1])


rng = np.random.default_rng(5)
w = tf.Variable(rng.normal(size=(4,)).astype("float32"))
x = tf.constant(rng.normal(size=(15, 4)).astype("float32"))
relevance = tf.constant(rng.normal(size=15).astype("float32"))


def ranking_loss(w):
    scores = tf.linalg.matvec(x, w)
    return 1.0 - rank_correlation(scores, relevance)  # cause


with tf.GradientTape() as tape:
    loss = ranking_loss(w) + 0.0
print("RESULT:", tape.gradient(loss, w))
