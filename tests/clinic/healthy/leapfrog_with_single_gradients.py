import tensorflow as tf

state = {"position": tf.Variable([0.3, -0.1]), "momentum": tf.Variable([0.5, 0.0])}


def force_and_speed():
    with tf.GradientTape(persistent=True) as tape:
        energy = tf.reduce_sum(state["momentum"] ** 2) / 2.0 + tf.reduce_sum(state["position"] ** 4)
    return -tape.gradient(energy, state["position"]), tape.gradient(energy, state["momentum"])


for _ in range(4):
    force, speed = force_and_speed()
    state["momentum"].assign(state["momentum"] + 0.05 * force)
    state["position"].assign(state["position"] + 0.05 * speed)
print(state["position"].numpy())
