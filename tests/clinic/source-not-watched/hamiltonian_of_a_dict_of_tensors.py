import tensorflow as tf

state = {"q": tf.constant([1.0, 0.5]), "p": tf.constant([0.0, -0.3])}

def hamiltonian(s):
    kinetic = 0.5 * tf.reduce_sum(s["p"] ** 2)
    potential = 0.5 * tf.reduce_sum(s["q"] ** 2)
    return kinetic + potential

with tf.GradientTape() as tape:
    h = hamiltonian(state)  # cause
dh = tape.gradient(h, state)
print(dh)
