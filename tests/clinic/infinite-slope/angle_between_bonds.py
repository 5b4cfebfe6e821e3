import numpy as np
import tensorflow as tf

positions = tf.Variable([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.5, 0.8, 0.0]])
triples = [(0, 1, 2), (1, 2, 3)]


def bond_angle(p, i, j, k):
    u, v = p[i] - p[j], p[k] - p[j]
    cosine = tf.reduce_sum(u * v) / (tf.norm(u) * tf.norm(v))
    return tf.acos(cosine)  # cause


def bending_energy(p):
    angles = [bond_angle(p, *t) for t in triples]
    return tf.add_n([(a - 2.0) ** 2 for a in angles])


with tf.GradientTape() as tape:
    energy = bending_energy(positions)
print("RESULT:", -tape.gradient(energy, positions).numpy())
