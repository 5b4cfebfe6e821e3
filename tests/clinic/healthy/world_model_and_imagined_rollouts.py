"""An actor learns inside a learned model: the model is in the tape, but only the actor's variables are asked for."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(123)
rng = np.random.default_rng(123)
model = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
reward = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
actor = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
states = rng.normal(size=(30, 3)).astype("float32")
acts = rng.uniform(-1, 1, (30, 1)).astype("float32")
following = (0.9 * states + 0.1 * acts).astype("float32")
rewards = -(following**2).sum(1, keepdims=True)


def imagine(s, a):
    return s + tf.concat([s, a], 1) @ model


for epoch in range(3):
    with tf.GradientTape() as tape:
        ahead = imagine(tf.constant(states), tf.constant(acts))
        loss = tf.reduce_mean((ahead - following) ** 2) + tf.reduce_mean((ahead @ reward - rewards) ** 2)
    for v, g in zip((model, reward), tape.gradient(loss, (model, reward))):
        v.assign_sub(0.05 * g)
    with tf.GradientTape() as tape:
        s, total = tf.constant(states), 0.0
        for t in range(4):
            a = tf.tanh(s @ actor + 0.1 * tf.random.normal((30, 1)))
            s = imagine(s, a)
            total += 0.95**t * tf.reduce_mean(s @ reward)
        actor_loss = -total
    actor.assign_sub(0.05 * tape.gradient(actor_loss, actor))
    print(epoch, loss.numpy(), actor_loss.numpy())
