"""The values of the online network come from `predict`; the target network got its weights from it before, which is as it should be."""

import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(11)


def network():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(4)])


class Agent:
    def __init__(self):
        self.online, self.target = network(), network()
        self.synchronise()
        self.optimizer = keras.optimizers.SGD(1e-2)

    def synchronise(self):
        self.target.set_weights(self.online.get_weights())

    def loss(self, state, action, reward, after):
        wanted = reward + 0.9 * tf.reduce_max(self.target(after), axis=-1)
        values = self.online.predict(state, verbose=0)  # cause
        return tf.reduce_mean(tf.square(wanted - tf.gather(values, action, batch_dims=1)))

    def learn(self, *transition):
        with tf.GradientTape() as tape:
            loss = self.loss(*transition)
        gradients = tape.gradient(loss, self.online.trainable_variables)
        if any(each is not None for each in gradients):
            self.optimizer.apply_gradients(zip(gradients, self.online.trainable_variables))
        return float(loss)


states = tf.random.normal((6, 3))
print(Agent().learn(states, tf.constant([0, 1, 2, 3, 0, 1]), tf.ones(6), states + 0.1))
