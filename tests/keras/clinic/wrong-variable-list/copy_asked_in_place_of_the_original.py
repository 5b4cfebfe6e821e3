"""The loss of a value network is computed with its copy, which took the weights as arrays."""
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def network():
    net = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
    net.build((None, 3))
    return net


values, lagging = network(), network()
weights = values.get_weights()
lagging.set_weights(weights)  # cause


def loss_of(net, states, actions, rewards):
    chosen = tf.reduce_sum(net(states) * tf.one_hot(actions, 2), axis=1)
    return tf.reduce_mean(tf.square(rewards - chosen))


states = tf.random.normal((12, 3))
with tf.GradientTape() as tape:
    loss = loss_of(lagging, states, tf.zeros(12, tf.int32), tf.ones(12))
grads = tape.gradient(loss, values.trainable_variables)  # cause
print([g is None for g in grads])
