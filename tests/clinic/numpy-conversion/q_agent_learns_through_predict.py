"""The Q agent uses the same method to act and to learn, and that method gives arrays."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)


class QAgent:
    def __init__(self, n_states, n_actions, gamma=0.95):
        self.gamma = gamma
        self.hidden = tf.Variable(rng.normal(0, 0.4, (n_states, 16)).astype("float32"))
        self.out = tf.Variable(rng.normal(0, 0.4, (16, n_actions)).astype("float32"))
        self.memory = []

    def net(self, states):
        return tf.tanh(states @ self.hidden) @ self.out

    def predict(self, states):
        return self.net(tf.convert_to_tensor(states, tf.float32)).numpy()  # cause

    def act(self, state):
        if rng.random() < 0.3:
            return int(rng.integers(2))
        return int(self.predict(state[None])[0].argmax())

    def learn(self, batch):
        states, actions, rewards, following = (np.array(each) for each in zip(*batch))
        best = self.predict(following).max(axis=1)
        targets = tf.constant(rewards + self.gamma * best, tf.float32)
        with tf.GradientTape() as tape:
            q = tf.convert_to_tensor(self.predict(states))
            chosen = tf.gather(q, actions, batch_dims=1)
            loss = tf.reduce_mean((targets - chosen) ** 2)
        weights = [self.hidden, self.out]
        grads = tape.gradient(loss, weights)
        for w, g in zip(weights, grads):
            w.assign_sub(0.01 * g)


agent = QAgent(4, 2)
for episode in range(2):
    state = rng.normal(size=4).astype("float32")
    for t in range(8):
        action = agent.act(state)
        following = (0.9 * state + (0.1 if action else -0.1)).astype("float32")
        agent.memory.append((state, action, float(following.sum()), following))
        state = following
    agent.learn(agent.memory[-8:])
