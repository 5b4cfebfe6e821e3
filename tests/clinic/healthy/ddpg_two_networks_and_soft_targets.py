"""DDPG: the actor's loss goes through the critic, targets follow slowly, actions carry noise from NumPy."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)


def mlp(sizes, scale=0.3):
    return [(tf.Variable(rng.normal(0, scale, s).astype("float32")), tf.Variable(tf.zeros(s[1]))) for s in zip(sizes, sizes[1:])]


def run(layers, x):
    for i, (w, b) in enumerate(layers):
        x = x @ w + b
        if i < len(layers) - 1:
            x = tf.nn.relu(x)
    return x


def flat(layers):
    return [v for pair in layers for v in pair]


actor, critic = mlp([3, 16, 1]), mlp([4, 16, 1])
actor_target, critic_target = mlp([3, 16, 1]), mlp([4, 16, 1])
for a, b in ((actor_target, actor), (critic_target, critic)):
    for t, v in zip(flat(a), flat(b)):
        t.assign(v)


def act(layers, s):
    return tf.tanh(run(layers, s))


for step in range(4):
    s = rng.normal(size=(16, 3)).astype("float32")
    noise = rng.normal(0, 0.1, (16, 1)).astype("float32")
    a = np.clip(act(actor, s).numpy() + noise, -1, 1)
    n = (0.9 * s + 0.1 * a).astype("float32")
    r = -np.sum(n**2, axis=1, keepdims=True).astype("float32")
    y = r + 0.99 * run(critic_target, tf.concat([n, act(actor_target, n)], 1))
    with tf.GradientTape() as tape:
        critic_loss = tf.reduce_mean((run(critic, tf.concat([s, a], 1)) - y) ** 2)
    for v, g in zip(flat(critic), tape.gradient(critic_loss, flat(critic))):
        v.assign_sub(0.01 * g)
    with tf.GradientTape() as tape:
        actor_loss = -tf.reduce_mean(run(critic, tf.concat([s, act(actor, s)], 1)))
    for v, g in zip(flat(actor), tape.gradient(actor_loss, flat(actor))):
        v.assign_sub(0.01 * g)
    for target, source in ((actor_target, actor), (critic_target, critic)):
        for t, v in zip(flat(target), flat(source)):
            t.assign(0.995 * t + 0.005 * v)
    print(critic_loss.numpy(), actor_loss.numpy())
