"""SAC: the actor's action is computed while the tape does not record, although the critic should judge it."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)


class Dense:
    def __init__(self, i, o):
        self.w, self.b = tf.Variable(rng.normal(0, 0.4, (i, o)).astype("float32")), tf.Variable(tf.zeros(o))

    def __call__(self, x):
        return x @ self.w + self.b


class Actor:
    def __init__(self):
        self.mean, self.log_std = Dense(3, 1), Dense(3, 1)

    def sample(self, s):
        m, ls = self.mean(s), tf.clip_by_value(self.log_std(s), -4.0, 1.0)
        return tf.tanh(m + tf.exp(ls) * tf.random.normal(tf.shape(m)))

    @property
    def weights(self):
        return [self.mean.w, self.mean.b, self.log_std.w, self.log_std.b]


actor, critic = Actor(), Dense(4, 1)
for _ in range(2):
    s = tf.constant(rng.normal(size=(8, 3)).astype("float32"))
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            a = actor.sample(s)  # cause
        q = critic(tf.concat([s, a], axis=1))
        loss = -tf.reduce_mean(q)
    grads = tape.gradient(loss, actor.weights)
    print(loss.numpy(), [g is not None for g in grads])
