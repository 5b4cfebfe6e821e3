"""Whole models with wrong numbers, whose cause is in another class, function or step."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "clip_class",
        "custom-gradient-ignores-upstream",
        """
        import numpy as np
        import tensorflow as tf


        class GradientReversal:
            # Domain-adversarial layer: identity forward, negative gradient backward.

            def __init__(self, strength):
                self.strength = strength

            def __call__(self, features):
                strength = self.strength

                @tf.custom_gradient
                def reverse(z):
                    def backward(upstream):
                        return -strength * tf.ones_like(z)  # cause

                    return tf.identity(z), backward

                return reverse(features)


        rng = np.random.default_rng(4)
        images = tf.constant(rng.normal(size=(8, 6)).astype("float32"))
        domain = tf.constant(rng.integers(0, 2, size=(8, 1)).astype("float32"))
        encoder = tf.Variable(rng.normal(0, 0.4, size=(6, 3)).astype("float32"))
        classifier = tf.Variable(rng.normal(0, 0.4, size=(3, 1)).astype("float32"))
        flip = GradientReversal(0.3)

        with tf.GradientTape() as tape:
            features = tf.tanh(tf.matmul(images, encoder))
            logits = tf.matmul(flip(features), classifier)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=domain, logits=logits))
        grads = tape.gradient(loss, [encoder, classifier])
        print("RESULT:", [np.round(float(tf.norm(g)), 5) for g in grads])
    """,
    ),
    Program(
        "round_ste",
        "custom-gradient-ignores-upstream",
        """
        import numpy as np
        import tensorflow as tf


        def quantizer(levels):
            @tf.custom_gradient
            def quantize(x):
                def grad(upstream):
                    mask = tf.cast(tf.logical_and(x > 0.0, x < 1.0), tf.float32)
                    return mask * tf.ones(tf.shape(upstream))  # cause

                return tf.round(x * levels) / levels, grad

            return quantize


        class QuantizedEncoder:
            def __init__(self, rng):
                self.w = tf.Variable(rng.normal(0, 0.5, size=(6, 3)).astype("float32"))
                self.v = tf.Variable(rng.normal(0, 0.5, size=(3, 6)).astype("float32"))
                self.quantize = quantizer(7.0)

            def __call__(self, x):
                return self.quantize(tf.sigmoid(x @ self.w)) @ self.v


        rng = np.random.default_rng(12)
        model = QuantizedEncoder(rng)
        x = tf.constant(rng.normal(size=(8, 6)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - x) ** 2)
        print("RESULT:", tape.gradient(loss, model.w).numpy().ravel()[:4])
    """,
    ),
    Program(
        "wgan_helper",
        "derivative-not-recorded",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        weights = [tf.Variable(rng.normal(0, 0.5, size=s).astype("float32")) for s in [(2, 8), (8, 1)]]


        def critic(x):
            return tf.matmul(tf.tanh(tf.matmul(x, weights[0])), weights[1])


        def gradient_penalty(real, fake):
            eps = tf.random.uniform([real.shape[0], 1])
            mixed = eps * real + (1.0 - eps) * fake
            with tf.GradientTape() as gp_tape:
                gp_tape.watch(mixed)
                score = critic(mixed)
            slope = gp_tape.gradient(score, mixed)  # cause
            return tf.reduce_mean((tf.norm(slope, axis=1) - 1.0) ** 2)  # cause


        real = tf.constant(rng.normal(1.0, 1.0, size=(16, 2)).astype("float32"))
        fake = tf.constant(rng.normal(-1.0, 1.0, size=(16, 2)).astype("float32"))
        for step in range(3):
            penalty = gradient_penalty(real, fake)  # cause
            with tf.GradientTape() as tape:
                wasserstein = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
                loss = wasserstein + 10.0 * penalty  # cause
            grads = tape.gradient(loss, weights)
            for w, g in zip(weights, grads):
                w.assign_sub(0.01 * g)
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "distillation",
        "double-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        x = rng.normal(size=(32, 6)).astype("float32")
        teacher_logits = rng.normal(size=(32, 4)).astype("float32") * 2
        student = {"w": tf.Variable(tf.zeros([6, 4])), "b": tf.Variable(tf.zeros([4]))}
        student["w"].assign(rng.normal(0, 0.2, size=(6, 4)).astype("float32"))


        def normalise(scores):
            shifted = scores - tf.reduce_max(scores, axis=-1, keepdims=True)
            weights = tf.exp(shifted)
            return weights / tf.reduce_sum(weights, axis=-1, keepdims=True)  # cause


        def student_forward(x, temperature=2.0):
            return normalise((x @ student["w"] + student["b"]) / temperature)  # cause


        soft_targets = normalise(teacher_logits / 2.0)
        with tf.GradientTape() as tape:
            pred = student_forward(x)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft_targets, logits=pred))  # cause
        grads = tape.gradient(loss, student)
        print("RESULT:", {k: float(tf.norm(g)) for k, g in grads.items()})
    """,
    ),
    Program(
        "attention_policy",
        "double-softmax",
        """
        import numpy as np
        import tensorflow as tf


        class Policy(tf.Module):
            def __init__(self, obs, actions):
                super().__init__()
                self.hidden = tf.Variable(tf.random.stateless_normal([obs, 16], seed=[1, 2]) * 0.3)
                self.out = tf.Variable(tf.random.stateless_normal([16, actions], seed=[3, 4]) * 0.3)

            def __call__(self, state):
                h = tf.nn.relu(state @ self.hidden)
                return tf.nn.softmax(h @ self.out)  # cause


        def policy_gradient_loss(policy, states, actions, returns):
            scores = policy(states)
            neglog = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=scores)  # cause
            return tf.reduce_mean(neglog * returns)


        rng = np.random.default_rng(8)
        policy = Policy(4, 3)
        states = tf.constant(rng.normal(size=(10, 4)).astype("float32"))
        actions = tf.constant(rng.integers(0, 3, size=10))
        returns = tf.constant(rng.normal(size=10).astype("float32"))
        for update in range(5):
            with tf.GradientTape() as tape:
                loss = policy_gradient_loss(policy, states, actions, returns)
            grads = tape.gradient(loss, policy.trainable_variables)
            for v, g in zip(policy.trainable_variables, grads):
                v.assign_sub(0.1 * g)
        print("RESULT:", float(loss))
    """,
    ),
    Program(
        "manual_logsumexp",
        "exp-overflow",
        """
        import numpy as np
        import tensorflow as tf


        class GaussianMixture:
            def __init__(self, k, dim, seed):
                rng = np.random.default_rng(seed)
                self.means = tf.Variable(rng.normal(size=(k, dim)).astype("float32"))
                self.log_weights = tf.Variable(np.zeros(k, "float32"))

            def energies(self, x):
                diff = x[:, None, :] - self.means[None, :, :]
                return 0.5 * tf.reduce_sum(diff ** 2, axis=-1)

            def responsibilities(self, x):
                unnormalised = tf.exp(self.energies(x) + self.log_weights)  # cause
                return unnormalised / tf.reduce_sum(unnormalised, axis=1, keepdims=True)


        rng = np.random.default_rng(3)
        x = tf.constant(np.concatenate([rng.normal(0, 1, (10, 2)), rng.normal(15, 1, (10, 2))]).astype("float32"))
        gmm = GaussianMixture(3, 2, 0)
        with tf.GradientTape() as tape:
            r = gmm.responsibilities(x)
            loss = tf.reduce_mean(tf.reduce_sum(r * gmm.energies(x), axis=1))
        g = tape.gradient(loss, gmm.means)
        print("RESULT:", g.numpy().ravel())
    """,
    ),
    Program(
        "boltzmann_machine",
        "exp-overflow",
        """
        import numpy as np
        import tensorflow as tf


        class Ising:
            def __init__(self, n, rng):
                self.j = tf.Variable((rng.normal(size=(n, n)) * 4.0).astype("float32"))
                states = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
                self.states = tf.constant(states.astype("float32"))

            def energy(self, s):
                return -tf.einsum("bi,ij,bj->b", s, self.j, s)

            def log_partition(self, beta):
                weights = tf.exp(-beta * self.energy(self.states))  # cause
                return tf.math.log(tf.reduce_sum(weights))

            def nll(self, data, beta):
                return beta * tf.reduce_mean(self.energy(data)) + self.log_partition(beta)


        rng = np.random.default_rng(1)
        model = Ising(6, rng)
        data = tf.constant(np.sign(rng.normal(size=(5, 6))).astype("float32"))
        with tf.GradientTape() as tape:
            loss = model.nll(data, beta=5.0)
        print("RESULT:", tape.gradient(loss, model.j).numpy()[0])
    """,
    ),
    Program(
        "dict_config",
        "function-baked-python-value",
        """
        import tensorflow as tf

        config = {"beta": 0.0, "steps": 3}


        class VAE(tf.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.mu = tf.Variable([0.3, -0.8])
                self.logvar = tf.Variable([0.0, 0.1])

            @tf.function
            def loss(self, x):
                recon = tf.reduce_sum((x - self.mu) ** 2)
                kl = -0.5 * tf.reduce_sum(1 + self.logvar - self.mu ** 2 - tf.exp(self.logvar))
                return recon + self.config["beta"] * kl  # cause


        vae = VAE(config)
        x = tf.constant([1.0, 0.5])
        for epoch in range(config["steps"]):
            config["beta"] = epoch / 2
            with tf.GradientTape() as tape:
                value = vae.loss(x)
            grads = tape.gradient(value, vae.trainable_variables)
        print("RESULT:", [g.numpy() for g in grads])
    """,
    ),
    Program(
        "step_counter",
        "function-baked-python-value",
        """
        import tensorflow as tf


        class GumbelSampler:
            def __init__(self):
                self.step = 0
                self.logits = tf.Variable([0.1, 0.4, -0.2])

            def temperature(self):
                return max(0.5, 2.0 - 0.5 * self.step)  # cause

            @tf.function
            def relaxed(self, noise):
                return tf.nn.softmax((self.logits + noise) / self.temperature())  # cause


        sampler = GumbelSampler()
        values = tf.constant([1.0, 2.0, 5.0])
        noise = tf.constant([0.3, -0.1, 0.8])
        for _ in range(4):
            with tf.GradientTape() as tape:
                reward = tf.reduce_sum(sampler.relaxed(noise) * values)
            g = tape.gradient(reward, sampler.logits)
            sampler.logits.assign_add(0.1 * g)
            sampler.step += 1
        print("RESULT:", g.numpy())
    """,
    ),
    Program(
        "class_weights_array",
        "function-baked-python-value",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        x = tf.constant(rng.normal(size=(40, 5)).astype("float32"))
        labels = tf.constant(rng.integers(0, 3, size=40))
        w = tf.Variable(tf.zeros([5, 3]))
        class_weights = np.ones(3, "float32")


        def weighted_loss(logits):
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            return tf.reduce_mean(losses * tf.gather(class_weights, labels))  # cause


        @tf.function
        def train_step():
            with tf.GradientTape() as tape:
                loss = weighted_loss(tf.matmul(x, w))
            grad = tape.gradient(loss, w)
            w.assign_sub(0.5 * grad)
            return grad


        for epoch in range(3):
            grad = train_step()
            predicted = np.argmax(x.numpy() @ w.numpy(), axis=1)
            for c in range(3):
                class_weights[c] = 1.0 + np.mean(predicted[labels.numpy() == c] != c)
        print("RESULT:", grad.numpy().ravel()[:3])
    """,
    ),
    Program(
        "schedule_object",
        "function-baked-python-value",
        """
        import tensorflow as tf


        class ExponentialDecay:
            def __init__(self, start, rate):
                self.start, self.rate = start, rate
                self.epoch = 0

            def __call__(self):
                return self.start * self.rate ** self.epoch  # cause

            def advance(self):
                self.epoch += 1


        class Trainer:
            def __init__(self):
                self.schedule = ExponentialDecay(0.5, 0.5)
                self.theta = tf.Variable([2.0, -3.0])
                self.step = tf.function(self._step)

            def _step(self, target):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum((self.theta - target) ** 2)
                self.theta.assign_sub(self.schedule() * tape.gradient(loss, self.theta))  # cause
                return loss


        trainer = Trainer()
        for _ in range(4):
            loss = trainer.step(tf.constant([0.0, 0.0]))
            trainer.schedule.advance()
        print("RESULT:", trainer.theta.numpy(), loss.numpy())
    """,
    ),
    Program(
        "global_batch",
        "function-baked-python-value",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        data = rng.normal(size=(30, 2)).astype("float32")
        targets = (data @ np.array([[2.0], [-1.0]])).astype("float32")
        w = tf.Variable(tf.zeros([2, 1]))
        batch_x, batch_y = data[:10], targets[:10]


        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(batch_x, w) - batch_y) ** 2)  # cause
            g = tape.gradient(loss, w)
            w.assign_sub(0.1 * g)
            return g


        for epoch in range(2):
            for start in range(0, 30, 10):
                batch_x, batch_y = data[start:start + 10], targets[start:start + 10]
                g = step()
        print("RESULT:", g.numpy().ravel())
    """,
    ),
    Program(
        "training_flag",
        "function-baked-python-value",
        """
        import tensorflow as tf

        tf.random.set_seed(1)


        class Dropout:
            def __init__(self, rate):
                self.rate = rate
                self.training = False

            def __call__(self, x):
                if self.training:  # cause
                    return tf.nn.dropout(x, self.rate)
                return x


        class Model:
            def __init__(self):
                self.drop = Dropout(0.5)
                self.w = tf.Variable(tf.random.normal([4, 1]))

            @tf.function
            def __call__(self, x):
                return self.drop(x) @ self.w


        model = Model()
        x = tf.ones([3, 4])
        print("before", model(x).numpy().ravel())
        model.drop.training = True
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        print("RESULT:", tape.gradient(loss, model.w).numpy().ravel())
    """,
    ),
    Program(
        "mlp_class",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf


        class Regressor:
            def __init__(self, rng):
                self.w1 = tf.Variable(rng.normal(0, 0.5, size=(4, 16)).astype("float32"))
                self.w2 = tf.Variable(rng.normal(0, 0.5, size=(16, 1)).astype("float32"))

            @property
            def variables(self):
                return [self.w1, self.w2]

            def __call__(self, x):
                return tf.matmul(tf.nn.relu(tf.matmul(x, self.w1)), self.w2)


        def squared_error(prediction, target):
            return tf.reduce_sum(tf.square(prediction - target))  # cause


        def fit(model, x, y, lr=0.01, epochs=40):
            for _ in range(epochs):
                with tf.GradientTape() as tape:
                    loss = squared_error(model(x), y)
                grads = tape.gradient(loss, model.variables)
                for v, g in zip(model.variables, grads):
                    v.assign_sub(lr * g)  # cause
            return grads


        rng = np.random.default_rng(6)
        x = rng.normal(size=(1000, 4)).astype("float32")
        y = (np.sin(x[:, :1]) + x[:, 1:2]).astype("float32")
        grads = fit(Regressor(rng), x, y)
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "policy_sum",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)


        class AutoEncoder(tf.Module):
            def __init__(self):
                super().__init__()
                self.enc = tf.Variable(rng.normal(0, 0.3, (10, 4)).astype("float32"))
                self.dec = tf.Variable(rng.normal(0, 0.3, (4, 10)).astype("float32"))

            def __call__(self, x):
                return (x @ self.enc) @ self.dec


        def reconstruction(x, x_hat):
            return tf.reduce_sum(tf.math.squared_difference(x, x_hat), axis=1)


        def train(model, data, epochs, lr):
            for epoch in range(epochs):
                with tf.GradientTape() as tape:
                    per_sample = reconstruction(data, model(data))
                    loss = tf.reduce_sum(per_sample)  # cause
                grads = tape.gradient(loss, model.trainable_variables)
                for v, g in zip(model.trainable_variables, grads):
                    v.assign_sub(lr * g)  # cause
            return loss


        data = tf.constant(rng.normal(size=(512, 10)).astype("float32"))
        print("RESULT:", train(AutoEncoder(), data, 30, 0.01).numpy())
    """,
    ),
    Program(
        "dead_relu_after_step",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(33)


        class Net(tf.Module):
            def __init__(self):
                super().__init__()
                self.w1 = tf.Variable(rng.normal(0, 0.5, size=(3, 8)).astype("float32"), name="w1")
                self.b1 = tf.Variable(tf.zeros([8]), name="b1")
                self.w2 = tf.Variable(rng.uniform(0.5, 1.0, size=(8, 1)).astype("float32"), name="w2")

            def __call__(self, x):
                hidden = tf.nn.relu(x @ self.w1 + self.b1)  # cause
                return hidden @ self.w2


        net = Net()
        x = rng.normal(size=(30, 3)).astype("float32")
        y = np.full((30, 1), -50.0, "float32")
        for step in range(10):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((net(x) - y) ** 2)
            grads = tape.gradient(loss, net.trainable_variables)
            for v, g in zip(net.trainable_variables, grads):
                v.assign_sub(0.05 * g)
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "unscaled_tanh",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf


        class RNNCell:
            def __init__(self, n_in, n_hidden, rng):
                self.wx = tf.Variable(rng.normal(0, 1, size=(n_in, n_hidden)).astype("float32"))
                self.wh = tf.Variable(np.eye(n_hidden, dtype="float32") * 0.5)

            def __call__(self, x, h):
                return tf.tanh(x @ self.wx + h @ self.wh)  # cause


        rng = np.random.default_rng(7)
        prices = (50000.0 + 1000.0 * rng.normal(size=(5, 6, 2))).astype("float32")
        cell = RNNCell(2, 3, rng)
        out = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        with tf.GradientTape() as tape:
            h = tf.zeros([5, 3])
            for t in range(6):
                h = cell(prices[:, t], h)
            loss = tf.reduce_mean((h @ out - 1.0) ** 2)
        grads = tape.gradient(loss, [cell.wx, cell.wh])
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "clipped_ratio",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf


        def surrogate(logp_new, logp_old, advantage, eps=0.2):
            ratio = tf.exp(logp_new - logp_old)
            clipped = tf.clip_by_value(ratio, 1 - eps, 1 + eps)  # cause
            return -tf.reduce_mean(clipped * advantage)


        mean = tf.Variable([3.0, -3.0])
        actions = tf.constant([[0.0, 0.1], [-0.2, 0.3], [0.1, 0.2]])
        logp_old = tf.constant([-0.1, -0.2, -0.15])
        advantage = tf.constant([1.0, -0.5, 0.7])
        for epoch in range(3):
            with tf.GradientTape() as tape:
                logp = -0.5 * tf.reduce_sum((actions - mean) ** 2, axis=1)
                loss = surrogate(logp, logp_old, advantage)
            grad = tape.gradient(loss, mean)
            mean.assign_sub(0.1 * grad)
        print("RESULT:", grad.numpy())
    """,
    ),
    Program(
        "kalman_update",
        "singular-matrix",
        """
        import numpy as np
        import tensorflow as tf


        class KalmanFilter:
            def __init__(self):
                self.F = tf.constant([[1.0, 0.1], [0.0, 1.0]])
                self.H = tf.constant([[1.0, 0.0], [1.0, 0.0]])
                self.q = tf.Variable(0.05)
                self.r = tf.Variable(0.0)

            def predict(self, x, P):
                return self.F @ x, self.F @ P @ tf.transpose(self.F) + self.q * tf.eye(2)

            def update(self, x, P, z):
                S = self.H @ P @ tf.transpose(self.H) + self.r * tf.eye(2)  # cause
                K = P @ tf.transpose(self.H) @ tf.linalg.inv(S)  # cause
                return x + K @ (z - self.H @ x), (tf.eye(2) - K @ self.H) @ P


        kf = KalmanFilter()
        rng = np.random.default_rng(3)
        measurements = rng.normal(size=(5, 2, 1)).astype("float32")
        with tf.GradientTape() as tape:
            x, P = tf.zeros([2, 1]), tf.eye(2)
            loss = 0.0
            for z in measurements:
                x, P = kf.predict(x, P)
                x, P = kf.update(x, P, z)
                loss += tf.reduce_sum((z - kf.H @ x) ** 2)
        print("RESULT:", tape.gradient(loss, kf.q))
    """,
    ),
    Program(
        "laplacian",
        "singular-matrix",
        """
        import numpy as np
        import tensorflow as tf

        edges = [(0, 1), (1, 2), (2, 3), (3, 0)]
        conductance = tf.Variable([1.0, 2.0, 1.0, 2.0])


        def laplacian(c):
            n = 4
            matrix = tf.zeros([n, n])
            for k, (i, j) in enumerate(edges):
                e = tf.one_hot(i, n) - tf.one_hot(j, n)
                matrix += c[k] * tf.tensordot(e, e, axes=0)
            return matrix


        def potentials(c, injected):
            return tf.linalg.solve(laplacian(c), injected[:, None])  # cause


        injected = tf.constant([1.0, 0.0, -1.0, 0.0])
        with tf.GradientTape() as tape:
            v = potentials(conductance, injected)
            power = tf.reduce_sum(v[:, 0] * injected)
        print("RESULT:", tape.gradient(power, conductance))
    """,
    ),
    Program(
        "kepler_divide",
        "where-nan-branch",
        """
        import numpy as np
        import tensorflow as tf


        class Softened:
            def __init__(self):
                self.pos = tf.Variable([[0.0, 0.0], [1.0, 0.5], [-0.5, 1.0]])

            def pair_energy(self, r2):
                inverse = 1.0 / tf.sqrt(r2)  # cause
                return tf.where(r2 > 0.0, -inverse, tf.zeros_like(inverse))  # cause

            def total(self):
                d = self.pos[:, None] - self.pos[None]
                r2 = tf.reduce_sum(d ** 2, axis=-1)
                return 0.5 * tf.reduce_sum(self.pair_energy(r2))


        system = Softened()
        with tf.GradientTape() as tape:
            e = system.total()
        print("RESULT:", tape.gradient(e, system.pos).numpy())
    """,
    ),
    Program(
        "lens_sqrt_boolean",
        "where-nan-branch",
        """
        import tensorflow as tf


        class Lens:
            def __init__(self):
                self.radius = tf.Variable(2.0)

            def sag(self, r):
                inside = self.radius ** 2 - r ** 2
                valid = inside > 0.0
                height = self.radius - inside ** 0.5  # cause
                return tf.where(valid, height, self.radius)  # cause


        lens = Lens()
        rays = tf.linspace(0.0, 3.0, 7)
        target = tf.constant(0.5)
        with tf.GradientTape() as tape:
            profile = lens.sag(rays)
            loss = tf.reduce_mean((profile - target) ** 2)
        print("RESULT:", tape.gradient(loss, lens.radius).numpy())
    """,
    ),
    Program(
        "sinc",
        "where-nan-branch",
        """
        import tensorflow as tf


        def sinc(x):
            return tf.where(tf.equal(x, 0.0), tf.ones_like(x), tf.sin(x) / x)  # cause


        class Interpolator(tf.Module):
            def __init__(self, samples):
                super().__init__()
                self.samples = tf.constant(samples)
                self.shift = tf.Variable(0.0)

            def __call__(self, t):
                n = tf.range(len(self.samples), dtype=tf.float32)
                arg = 3.14159265 * (t[:, None] - self.shift - n[None, :])
                return tf.linalg.matvec(sinc(arg), self.samples)


        signal = Interpolator([0.0, 1.0, 0.5, -0.5])
        t = tf.constant([0.5, 1.0, 1.5])
        with tf.GradientTape() as tape:
            err = tf.reduce_mean((signal(t) - 0.2) ** 2)
        print("RESULT:", tape.gradient(err, signal.shift).numpy())
    """,
    ),
]
