"""Programs with wrong numbers whose cause lies in another function, class or step than where it shows."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "l1_penalty_before_loop",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        x = rng.normal(size=(40, 5)).astype("float32")
        y = (x[:, :1] * 2).astype("float32")
        w = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))


        def l1(v):
            return tf.reduce_sum(tf.abs(v))


        def fit(steps, strength):
            penalty = strength * l1(w)  # cause
            for _ in range(steps):
                with tf.GradientTape() as tape:
                    error = x @ w - y
                    loss = tf.reduce_mean(error ** 2) + penalty
                w.assign_sub(0.05 * tape.gradient(loss, w))
            return w


        print("RESULT:", fit(50, 0.5).numpy().ravel())
    """,
    ),
    Program(
        "inertia_axes",
        "degenerate-eigenvectors",
        """
        import numpy as np
        import tensorflow as tf

        corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
        masses = tf.Variable(np.ones(8), dtype=tf.float64)


        def inertia(m):
            r = tf.constant(corners)
            outer = tf.einsum("n,ni,nj->ij", m, r, r)
            return tf.linalg.trace(outer) * tf.eye(3, dtype=tf.float64) - outer


        def first_axis(tensor):
            moments, axes = tf.linalg.eigh(tensor)  # cause
            return axes[:, 0]


        direction = tf.constant([1.0, 2.0, 3.0], dtype=tf.float64)
        with tf.GradientTape() as tape:
            alignment = tf.tensordot(first_axis(inertia(masses)), direction, 1) ** 2
        grad = tape.gradient(alignment, masses)
        print("RESULT:", grad.numpy())
    """,
    ),
    Program(
        "laplacian_embedding",
        "degenerate-eigenvectors",
        """
        import numpy as np
        import tensorflow as tf

        n = 6
        ring = np.zeros((n, n), dtype="float32")
        for i in range(n):
            ring[i, (i + 1) % n] = ring[(i + 1) % n, i] = 1.0
        weights = tf.Variable(ring)


        class Spectral:
            def __init__(self, dims):
                self.dims = dims

            def laplacian(self, w):
                return tf.linalg.diag(tf.reduce_sum(w, axis=1)) - w

            def __call__(self, w):
                values, vectors = tf.linalg.eigh(self.laplacian(w))  # cause
                return vectors[:, 1 : 1 + self.dims]


        target = tf.constant(np.linspace(-1, 1, n, dtype="float32")[:, None])
        with tf.GradientTape() as tape:
            embedding = Spectral(1)(weights)
            loss = tf.reduce_sum((embedding - target) ** 2)
        print("RESULT:", tape.gradient(loss, weights).numpy()[0])
    """,
    ),
    Program(
        "empty_sentence_attention",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        lengths = np.array([3, 0, 2])
        tokens = rng.normal(size=(3, 4, 5)).astype("float32")
        query = tf.Variable(rng.normal(size=(5,)).astype("float32"), name="query")


        def padding_mask(lengths, width):
            inside = np.arange(width)[None, :] < lengths[:, None]
            return np.where(inside, 0.0, -np.inf).astype("float32")


        def pool(x, mask):
            scores = tf.einsum("btd,d->bt", x, query) + mask
            weights = tf.nn.softmax(scores, axis=-1)  # cause
            return tf.einsum("bt,btd->bd", weights, x)


        mask = padding_mask(lengths, 4)
        with tf.GradientTape() as tape:
            pooled = pool(tokens, mask)
            loss = tf.reduce_mean(pooled ** 2)
        print("RESULT:", tape.gradient(loss, query).numpy())
    """,
    ),
    Program(
        "legal_moves_none_left",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        policy = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
        boards = rng.normal(size=(5, 4)).astype("float32")
        legal = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 0], [1, 1, 1]], dtype=bool)
        moves = tf.constant([0, 0, 1, 2, 2])
        advantage = tf.constant([1.0, -0.5, 0.2, 0.0, 0.7])


        class Player:
            def logits(self, boards):
                return boards @ policy

            def log_policy(self, boards, legal):
                masked = tf.where(legal, self.logits(boards), -np.inf)
                return tf.nn.log_softmax(masked)  # cause


        with tf.GradientTape() as tape:
            logp = Player().log_policy(boards, legal)
            chosen = tf.gather(logp, moves, batch_dims=1)
            loss = -tf.reduce_mean(chosen * advantage)
        print("RESULT:", tape.gradient(loss, policy).numpy())
    """,
    ),
    Program(
        "half_variance_overflow",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
        pixels = rng.integers(0, 256, (8, 4)).astype("float16")


        def layer_norm(h):
            mean = tf.reduce_mean(h, axis=-1, keepdims=True)
            variance = tf.reduce_mean((h - mean) ** 2, axis=-1, keepdims=True)  # cause
            return (h - mean) / tf.sqrt(variance + 1e-5)


        def forward(x):
            h = tf.matmul(x * tf.constant(16.0, tf.float16), tf.cast(w, tf.float16))
            return layer_norm(h)


        with tf.GradientTape() as tape:
            out = forward(pixels)
            loss = tf.reduce_mean(tf.cast(out, tf.float32) ** 2 * tf.constant([1.0, 2.0, 3.0]))
        print("RESULT:", tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "half_softmax_mask_value",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        keys = rng.normal(size=(2, 4, 3)).astype("float16")
        wq = tf.Variable(rng.normal(size=(3,)).astype("float16"))
        lengths = [4, 2]


        def energy(k, q):
            return tf.exp(tf.einsum("btd,d->bt", k, q) * tf.constant(8.0, tf.float16))  # cause


        def attention(k, q):
            e = energy(k, q)
            return e / tf.reduce_sum(e, axis=1, keepdims=True)


        wq.assign([2.0, -1.5, 1.8])
        with tf.GradientTape() as tape:
            weights = attention(keys, wq)
            loss = tf.reduce_sum(weights[:, 0])
        print("RESULT:", tape.gradient(loss, wq).numpy())
    """,
    ),
    Program(
        "total_variation_flat_patch",
        "infinite-slope",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        noisy = np.zeros((6, 6), dtype="float32")
        noisy[3:, 3:] = 1.0 + 0.1 * rng.normal(size=(3, 3))
        image = tf.Variable(noisy)


        class Denoiser:
            def __init__(self, strength):
                self.strength = strength

            def variation(self, u):
                dx = u[1:, :-1] - u[:-1, :-1]
                dy = u[:-1, 1:] - u[:-1, :-1]
                return tf.reduce_sum(tf.sqrt(dx ** 2 + dy ** 2))  # cause

            def objective(self, u):
                fidelity = tf.reduce_sum((u - noisy) ** 2)
                return fidelity + self.strength * self.variation(u)


        model = Denoiser(0.1)
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = model.objective(image)
            grad = tape.gradient(loss, image)
            image.assign_sub(0.1 * grad)
        print("RESULT:", float(tf.norm(grad)))
    """,
    ),
    Program(
        "sqrt_weights_zero_init",
        "infinite-slope",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        x = np.abs(rng.normal(size=(10, 3))).astype("float32")
        y = np.sqrt(x.sum(axis=1, keepdims=True)).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))


        def activation(z):
            return tf.pow(z, 0.5)  # cause


        def model(x):
            return activation(tf.matmul(x, w))


        history = []
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - y) ** 2)
            grad = tape.gradient(loss, w)
            w.assign_sub(0.01 * grad)
            history.append(float(loss))
        print("RESULT:", history, w.numpy().ravel())
    """,
    ),
    Program(
        "topic_model_zero_count",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        counts = np.array([[3.0, 0.0, 1.0], [0.0, 0.0, 5.0]], dtype="float32")
        scores = tf.Variable([[0.2, -0.1, 0.4], [0.0, 0.3, -0.2]])


        def empirical(c):
            return c / c.sum(axis=1, keepdims=True)


        def cross_entropy(p, q):
            return -tf.reduce_mean(tf.reduce_sum(p * tf.math.log(q), axis=1))  # cause


        for step in range(2):
            with tf.GradientTape() as tape:
                model = tf.nn.relu(scores)
                q = model / tf.reduce_sum(model, axis=1, keepdims=True)
                loss = cross_entropy(empirical(counts), q)
            grad = tape.gradient(loss, scores)
            scores.assign_sub(0.1 * grad)
        print("RESULT:", loss.numpy(), grad.numpy())
    """,
    ),
    Program(
        "log_returns_with_halt",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        prices = np.array([10.0, 10.5, 10.2, 0.0, 10.8], dtype="float32")
        volume = np.array([3.0, 1.0, 2.0, 0.0, 2.0], dtype="float32")
        weight = tf.Variable(1.0)


        class Index:
            def __init__(self, prices, volume):
                self.level = tf.constant(prices * volume)

            def log_level(self, w):
                return tf.math.log(w * self.level)  # cause


        index = Index(prices, volume)
        with tf.GradientTape() as tape:
            returns = index.log_level(weight)[1:] - index.log_level(weight)[:-1]
            risk = tf.math.reduce_variance(returns)
        print("RESULT:", risk.numpy(), tape.gradient(risk, weight).numpy())
    """,
    ),
    Program(
        "temperature_sensor_gap",
        "nan-in-data",
        """
        import io

        import numpy as np
        import tensorflow as tf

        RAW = "21.5,40\\n22.0,41\\n,39\\n23.1,38\\n22.7,40\\n"


        def read(raw):
            return np.genfromtxt(io.StringIO(raw), delimiter=",", dtype="float32")  # cause


        def standardise(a):
            return (a - np.nanmean(a, axis=0)) / np.nanstd(a, axis=0)  # cause


        data = standardise(read(RAW))  # cause
        x, y = data[:, :1], data[:, 1:]  # cause
        w, b = tf.Variable([[0.1]]), tf.Variable([0.0])
        for epoch in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)  # cause
            gw, gb = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * gw)
            b.assign_sub(0.1 * gb)
        print("RESULT:", w.numpy(), b.numpy())
    """,
    ),
    Program(
        "embedding_with_nan_row",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(22)
        vectors = rng.normal(size=(8, 3)).astype("float32")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        norms[5] = np.nan
        vectors = vectors / norms  # cause
        sentences = [[0, 1, 2], [3, 4], [5, 6, 7]]
        labels = tf.constant([1.0, 0.0, 1.0])
        table = tf.constant(vectors)  # cause
        w = tf.Variable(tf.zeros([3]))


        def embed(sentence):
            return tf.reduce_mean(tf.gather(table, sentence), axis=0)  # cause


        for epoch in range(2):
            with tf.GradientTape() as tape:
                x = tf.stack([embed(s) for s in sentences])
                logits = tf.linalg.matvec(x, w)  # cause
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy())
    """,
    ),
    Program(
        "softmax_policy_sensitivity",
        "non-scalar-target-summed",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(23)
        theta = tf.Variable(rng.normal(size=(3,)).astype("float32"))
        features = tf.constant(rng.normal(size=(4, 3)).astype("float32"))


        class Choice:
            def __init__(self, theta):
                self.theta = theta

            def shares(self):
                utility = tf.exp(tf.linalg.matvec(features, self.theta))
                return utility / tf.reduce_sum(utility)  # cause


        choice = Choice(theta)
        with tf.GradientTape() as tape:
            shares = choice.shares()
        sensitivity = tape.gradient(shares, theta)  # cause
        print("RESULT:", np.round(sensitivity.numpy(), 6))
    """,
    ),
    Program(
        "velocity_field_divergence",
        "non-scalar-target-summed",
        """
        import numpy as np
        import tensorflow as tf

        scores = tf.Variable([[1.0, 2.0, 0.5], [0.1, -0.4, 0.3]])


        def probabilities(s):
            return tf.nn.softmax(s, axis=-1)


        def report(variable):
            with tf.GradientTape() as tape:
                p = probabilities(variable)
                confidence = p * 100.0
            return tape.gradient(confidence, variable)  # cause


        print("RESULT:", np.round(report(scores).numpy(), 4))
    """,
    ),
    Program(
        "biharmonic_relu_net",
        "piecewise-linear-second-derivative",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(27)


        class Net:
            def __init__(self, widths, activation):
                self.ws = [tf.Variable(rng.normal(0, 0.8, (a, b)).astype("float32")) for a, b in zip(widths, widths[1:])]
                self.activation = activation

            def __call__(self, x):
                for w in self.ws[:-1]:
                    x = self.activation(x @ w)  # cause
                return x @ self.ws[-1]


        def curvature(net, x):
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    u = net(x)
                du = inner.gradient(u, x)
            return outer.gradient(du, x)


        net = Net([1, 8, 8, 1], tf.nn.relu)
        points = tf.constant(np.linspace(0.0, 1.0, 11, dtype="float32")[:, None])
        d2u = curvature(net, points)
        print("RESULT:", d2u)
    """,
    ),
    Program(
        "huber_curvature_for_newton",
        "piecewise-linear-second-derivative",
        """
        import tensorflow as tf

        residuals = tf.constant([3.0, -4.0, 5.0, 2.5])
        shift = tf.Variable(0.1)


        def absolute_loss(r):
            return tf.reduce_mean(tf.maximum(r, -0.5 * r))  # cause


        def newton_step(v):
            with tf.GradientTape() as second:
                with tf.GradientTape() as first:
                    f = absolute_loss(residuals - v)
                slope = first.gradient(f, v)
            bend = second.gradient(slope, v)
            return slope, bend


        slope, bend = newton_step(shift)
        print("RESULT:", bend)
    """,
    ),
    Program(
        "value_head_column",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(31)
        w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        states = rng.normal(size=(16, 4)).astype("float32")
        rewards = rng.normal(size=16).astype("float32")


        def discounted(rewards, gamma=0.9):
            out, total = np.zeros_like(rewards), 0.0
            for t in reversed(range(len(rewards))):
                total = rewards[t] + gamma * total
                out[t] = total
            return out


        class Critic:
            def __init__(self, w):
                self.w = w

            def value(self, s):
                return tf.matmul(s, self.w)

            def loss(self, s, returns):
                delta = returns - self.value(s)  # cause
                return tf.reduce_mean(tf.square(delta))


        critic = Critic(w)
        returns = discounted(rewards)
        for _ in range(20):
            with tf.GradientTape() as tape:
                loss = critic.loss(states, returns)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "per_channel_scale_wrong_axis",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(32)
        x = rng.normal(size=(10, 1)).astype("float32")
        y = tf.constant((3.0 * x + 1.0)[:, 0])
        noise = tf.constant(rng.uniform(0.5, 1.5, 10).astype("float32"))
        a, b = tf.Variable(0.0), tf.Variable(0.0)


        def log_likelihood(prediction, truth, sigma):
            z = (truth - prediction) / sigma  # cause
            return -0.5 * z ** 2 - tf.math.log(sigma)


        def model(x):
            return a * x + b


        for i in range(50):
            with tf.GradientTape() as tape:
                nll = -tf.reduce_mean(log_likelihood(model(x), y, noise))
            ga, gb = tape.gradient(nll, [a, b])
            a.assign_sub(0.1 * ga)
            b.assign_sub(0.1 * gb)
        print("RESULT:", a.numpy(), b.numpy())
    """,
    ),
    Program(
        "churn_softmax_single",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(33)
        x = rng.normal(size=(20, 4)).astype("float32")
        churned = (x[:, :1] > 0).astype("float32")


        class Network:
            def __init__(self, outputs):
                self.w1 = tf.Variable(rng.normal(0, 0.3, (4, 6)).astype("float32"))
                self.w2 = tf.Variable(rng.normal(0, 0.3, (6, outputs)).astype("float32"))
                self.variables = [self.w1, self.w2]

            def __call__(self, x):
                return tf.nn.softmax(tf.nn.relu(x @ self.w1) @ self.w2)  # cause


        def binary_cross_entropy(y, p):
            p = tf.clip_by_value(p, 1e-7, 1.0 - 1e-7)
            return -tf.reduce_mean(y * tf.math.log(p) + (1.0 - y) * tf.math.log(1.0 - p))


        net = Network(churned.shape[1])
        for epoch in range(5):
            with tf.GradientTape() as tape:
                loss = binary_cross_entropy(churned, net(x))
            grads = tape.gradient(loss, net.variables)
            for v, g in zip(net.variables, grads):
                v.assign_sub(0.5 * g)
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "attention_over_single_key",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(34)
        wq = tf.Variable(rng.normal(size=(3, 3)).astype("float32"), name="wq")
        queries = rng.normal(size=(4, 3)).astype("float32")
        memory = rng.normal(size=(5, 3)).astype("float32")


        def scores(q, m):
            s = tf.matmul(q @ wq, m, transpose_b=True)
            return tf.reshape(s, (4, 5, 1))


        def attend(q, m):
            weights = tf.nn.softmax(scores(q, m), axis=-1)  # cause
            return tf.reduce_sum(weights * m[None, :, :], axis=1)


        with tf.GradientTape() as tape:
            context = attend(queries, memory)
            loss = tf.reduce_mean(context ** 2)
        print("RESULT:", tape.gradient(loss, wq).numpy())
    """,
    ),
    Program(
        "cross_entropy_over_batch_axis",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(47)
        x = rng.normal(size=(24, 5)).astype("float32")
        y = rng.integers(0, 3, 24)
        w = tf.Variable(tf.zeros([5, 3]))


        def log_softmax(z):
            return z - tf.reduce_logsumexp(z, axis=0, keepdims=True)  # cause


        def nll(logits, y):
            return -tf.reduce_mean(tf.gather(log_softmax(logits), y, batch_dims=1))


        for _ in range(20):
            with tf.GradientTape() as tape:
                loss = nll(x @ w, y)
            w.assign_sub(0.5 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "attention_softmax_query_axis",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(48)


        class Attention:
            def __init__(self, d):
                self.wq = tf.Variable(rng.normal(0, 0.3, (d, d)).astype("float32"))
                self.wk = tf.Variable(rng.normal(0, 0.3, (d, d)).astype("float32"))

            def weights(self, x):
                scores = tf.matmul(x @ self.wq, x @ self.wk, transpose_b=True)
                return tf.nn.softmax(scores / 2.0, axis=1)  # cause

            def __call__(self, x):
                return tf.matmul(self.weights(x), x)


        x = rng.normal(size=(3, 5, 4)).astype("float32")
        att = Attention(4)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((att(x) - x[:, ::-1]) ** 2)
        grads = tape.gradient(loss, [att.wq, att.wk])
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "normalised_histogram_empty",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(49)
        counts = np.array([[2.0, 1.0], [0.0, 0.0], [4.0, 3.0]], dtype="float32")
        gain = tf.Variable([1.0, 0.5])


        class Normaliser:
            def rows(self, table):
                total = tf.reduce_sum(table, axis=1, keepdims=True)
                return table / total  # cause


        def objective(g):
            shares = Normaliser().rows(counts * g)
            return tf.reduce_mean(shares[:, 0])


        for step in range(2):
            with tf.GradientTape() as tape:
                value = objective(gain)
            grad = tape.gradient(value, gain)
            gain.assign_add(0.1 * grad)
        print("RESULT:", value.numpy(), grad.numpy())
    """,
    ),
    Program(
        "masked_average_no_valid",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(50)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        batches = [rng.normal(size=(4, 3)).astype("float32") for _ in range(3)]
        valid = [np.ones(4, "float32"), np.array([1, 0, 1, 0], "float32"), np.zeros(4, "float32")]


        def masked_mean(values, mask):
            return tf.reduce_sum(values * mask) / tf.reduce_sum(mask)  # cause


        def train():
            for x, m in zip(batches, valid):
                with tf.GradientTape() as tape:
                    error = tf.squeeze(x @ w, 1) - 1.0
                    loss = masked_mean(error ** 2, m)
                w.assign_sub(0.1 * tape.gradient(loss, w))
            return loss


        print("RESULT:", train().numpy(), w.numpy().ravel())
    """,
    ),
    Program(
        "dot_product_wrong_axis_shapes",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        users = tf.Variable(rng.normal(0, 0.3, (12, 4)).astype("float32"))
        items = tf.Variable(rng.normal(0, 0.3, (12, 4)).astype("float32"))
        ratings = tf.constant(rng.uniform(1, 5, 12).astype("float32"))


        def score(u, v):
            return tf.reduce_sum(u * v, axis=0)  # cause


        with tf.GradientTape() as tape:
            predicted = score(users, items)
            loss = tf.reduce_mean((predicted - ratings) ** 2)
        print("RESULT:", tape.gradient(loss, users))
    """,
    ),
    Program(
        "row_normalised_probabilities_axis",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        logits = tf.Variable(rng.normal(size=(6, 4)).astype("float32"))
        labels = tf.one_hot([0, 1, 1, 3, 2, 2], 4)


        def probabilities(z):
            e = tf.exp(z - tf.reduce_max(z))
            total = tf.reduce_sum(e, axis=0, keepdims=True)  # cause
            return e / total  # cause


        for step in range(3):
            with tf.GradientTape() as tape:
                p = probabilities(logits)
                loss = -tf.reduce_mean(tf.reduce_sum(labels * tf.math.log(p + 1e-9), axis=1))
            logits.assign_sub(tape.gradient(loss, logits))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "cosine_similarity_axis",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))
        a = rng.normal(size=(7, 5)).astype("float32")
        b = rng.normal(size=(7, 5)).astype("float32")


        class Tower:
            def embed(self, x):
                z = x @ w
                length = tf.norm(z, axis=0, keepdims=True)  # cause
                return z / (length + 1e-8)  # cause


        tower = Tower()
        with tf.GradientTape() as tape:
            similarity = tf.matmul(tower.embed(a), tower.embed(b), transpose_b=True)
            loss = -tf.reduce_mean(tf.linalg.diag_part(similarity))
        print("RESULT:", tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "product_of_probabilities",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        steps = 400
        logits = tf.Variable(rng.normal(0, 0.1, 3).astype("float32"))
        path = rng.integers(0, 3, steps)


        def likelihood():
            p = tf.nn.softmax(logits)
            total = tf.constant(1.0)
            for s in path:
                total = total * p[s]
            return total


        def objective():
            return -tf.math.log(likelihood())  # cause


        with tf.GradientTape() as tape:
            loss = objective()
        print("RESULT:", loss.numpy(), tape.gradient(loss, logits).numpy())
    """,
    ),
    Program(
        "angle_between_bonds",
        "infinite-slope",
        """
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
    """,
    ),
    Program(
        "centroid_distance_self",
        "infinite-slope",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        points = rng.normal(size=(5, 2)).astype("float32")
        centres = tf.Variable(points[:3])


        def soft_kmeans(c):
            gaps = points[:, None, :] - c[None, :, :]
            distance = tf.norm(gaps, axis=-1)  # cause
            weight = tf.nn.softmax(-distance, axis=1)
            return tf.reduce_sum(weight * distance)


        for step in range(3):
            with tf.GradientTape() as tape:
                loss = soft_kmeans(centres)
            centres.assign_sub(0.1 * tape.gradient(loss, centres))
        print("RESULT:", centres.numpy())
    """,
    ),
    Program(
        "float16_running_sum",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        w = tf.Variable(rng.normal(0, 0.5, (8, 1)).astype("float32"))
        x = rng.uniform(0, 40, (64, 8)).astype("float32")
        y = (x.sum(axis=1, keepdims=True)).astype("float32")


        class MixedModel:
            def forward(self, x):
                return tf.cast(tf.cast(x, tf.float16) @ tf.cast(w, tf.float16), tf.float16)

            def loss(self, x, y):
                error = self.forward(x) - tf.cast(y, tf.float16)
                return tf.reduce_sum(error * error)  # cause


        model = MixedModel()
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = model.loss(x, y)
            grad = tape.gradient(loss, w)
            w.assign_sub(1e-6 * tf.cast(grad, tf.float32))
        print("RESULT:", loss.numpy(), grad.numpy().ravel())
    """,
    ),
    Program(
        "float16_small_gradient",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        w = tf.Variable(rng.normal(0, 0.01, (6, 1)).astype("float32"))
        x = (rng.normal(size=(32, 6)) * 1e-3).astype("float16")
        y = (rng.normal(size=(32, 1)) * 1e-3).astype("float16")


        def predict(x):
            return tf.matmul(x, tf.cast(w, tf.float16))  # cause


        def loss_of(x, y):
            error = predict(x) - y  # cause
            return tf.reduce_mean(error ** 2) * tf.constant(1e-2, tf.float16)  # cause


        with tf.GradientTape() as tape:
            loss = loss_of(x, y)
        print("RESULT:", tape.gradient(loss, w).numpy().ravel())
    """,
    ),
    Program(
        "division_in_preprocessing",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        visits = np.array([10.0, 0.0, 5.0, 8.0], dtype="float32")
        buys = np.array([2.0, 0.0, 1.0, 4.0], dtype="float32")


        def conversion(b, v):
            with np.errstate(invalid="ignore"):
                return b / v  # cause


        class Data:
            def __init__(self):
                self.x = np.stack([conversion(buys, visits), visits], axis=1)  # cause
                self.y = np.array([[1.0], [0.0], [1.0], [2.0]], dtype="float32")


        data = Data()
        w = tf.Variable([[0.1], [0.2]])
        losses = []
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(data.x, w) - data.y) ** 2)  # cause
            w.assign_sub(0.01 * tape.gradient(loss, w))
            losses.append(float(loss))
        print("RESULT:", losses, w.numpy().ravel())
    """,
    ),
    Program(
        "labels_with_gap",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        series = np.sin(np.arange(24) / 3.0).astype("float32")
        series[17] = np.nan  # cause


        def windows(s, width):
            x = np.stack([s[i : i + width] for i in range(len(s) - width)])  # cause
            return x, s[width:, None]  # cause


        x, y = windows(series, 4)  # cause
        w = tf.Variable(rng.normal(0, 0.1, (4, 1)).astype("float32"))
        for epoch in range(3):
            for i in range(0, len(x), 5):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((x[i : i + 5] @ w - y[i : i + 5]) ** 2)  # cause
                w.assign_sub(0.05 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "broadcast_weights_per_sample",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        x = rng.normal(size=(20, 3)).astype("float32")
        y = (x @ np.array([1.0, -1.0, 0.5], dtype="float32")).reshape(-1, 1)
        importance = rng.uniform(0.1, 1.0, 20).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))


        def squared(pred, truth):
            return (pred - truth) ** 2


        def weighted(losses, weights):
            return tf.reduce_mean(losses * weights)  # cause


        for _ in range(10):
            with tf.GradientTape() as tape:
                loss = weighted(squared(x @ w, y), importance)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "td_error_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        actor = tf.Variable(rng.normal(0, 0.3, (4, 2)).astype("float32"))
        critic = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        s = rng.normal(size=(9, 4)).astype("float32")
        actions = rng.integers(0, 2, 9)
        returns = rng.normal(size=9).astype("float32")


        def advantage(states):
            return returns - states @ critic  # cause


        def actor_loss(states):
            logp = tf.nn.log_softmax(states @ actor)
            chosen = tf.reduce_sum(logp * tf.one_hot(actions, 2), axis=1)
            return -tf.reduce_mean(chosen * tf.stop_gradient(advantage(states)))


        with tf.GradientTape() as tape:
            loss = actor_loss(s)
        print("RESULT:", tape.gradient(loss, actor).numpy())
    """,
    ),
    Program(
        "correlation_of_constant_batch",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(tf.zeros([3, 1]))
        x = tf.constant(np.random.default_rng(16).normal(size=(10, 3)).astype("float32"))
        y = tf.constant(np.linspace(-1, 1, 10, dtype="float32")[:, None])


        def centre(v):
            return v - tf.reduce_mean(v)


        def correlation(a, b):
            a, b = centre(a), centre(b)
            top = tf.reduce_sum(a * b)
            bottom = tf.sqrt(tf.reduce_sum(a * a)) * tf.sqrt(tf.reduce_sum(b * b))
            return top / bottom  # cause


        with tf.GradientTape() as tape:
            loss = 1.0 - correlation(x @ w, y)
        print("RESULT:", loss.numpy(), tape.gradient(loss, w).numpy().ravel())
    """,
    ),
    Program(
        "svd_of_orthogonal_init",
        "degenerate-eigenvectors",
        """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(np.eye(3, dtype="float32") * 2.0)
        probe = tf.constant(np.arange(9, dtype="float32").reshape(3, 3))


        def polar(m):
            s, u, v = tf.linalg.svd(m)  # cause
            return u @ tf.transpose(v), s


        def penalty(m):
            rotation, stretch = polar(m)
            return tf.reduce_sum(rotation * probe) + tf.reduce_sum(stretch)


        with tf.GradientTape() as tape:
            loss = penalty(w)
        print("RESULT:", tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "graph_attention_isolated_node",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        adjacency = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 0]], dtype=bool)
        h = rng.normal(size=(3, 4)).astype("float32")
        a = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))


        def masked_softmax(scores, mask):
            scores = tf.where(mask, scores, tf.constant(-np.inf))
            scores = scores - tf.reduce_max(scores, axis=1, keepdims=True)  # cause
            e = tf.exp(scores)
            return e / tf.reduce_sum(e, axis=1, keepdims=True)


        def layer(h):
            s = h @ a
            attention = masked_softmax(s + tf.transpose(s), adjacency)  # cause
            return attention @ h


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(h) ** 2)
        print("RESULT:", tape.gradient(loss, a).numpy())
    """,
    ),
    Program(
        "compiled_norm_at_start",
        "infinite-slope",
        """
        import tensorflow as tf


        class Spring(tf.Module):
            def __init__(self, rest):
                super().__init__()
                self.a = tf.Variable([0.0, 0.0])
                self.b = tf.Variable([0.0, 0.0])
                self.rest = rest

            def length(self):
                d = self.a - self.b
                return tf.sqrt(tf.reduce_sum(d * d))  # cause

            def energy(self):
                return 0.5 * (self.length() - self.rest) ** 2


        @tf.function
        def relax(spring):
            with tf.GradientTape() as tape:
                e = spring.energy()
            grads = tape.gradient(e, spring.trainable_variables)
            for v, g in zip(spring.trainable_variables, grads):
                v.assign_sub(0.1 * g)
            return e


        spring = Spring(1.0)
        for _ in range(3):
            energy = relax(spring)
        print("RESULT:", energy.numpy(), spring.a.numpy())
    """,
    ),
    Program(
        "binary_entropy_after_saturation",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        x = rng.normal(size=(12, 2)).astype("float32")
        y = (x[:, :1] > 0).astype("float32")
        w = tf.Variable([[60.0], [0.0]])


        def predict(x):
            return tf.sigmoid(x @ w * 10.0)


        def nll(y, p):
            positive = y * tf.math.log(p)  # cause
            negative = (1.0 - y) * tf.math.log(1.0 - p)  # cause
            return -tf.reduce_mean(positive + negative)


        for step in range(2):
            with tf.GradientTape() as tape:
                loss = nll(y, predict(x))
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy(), w.numpy().ravel())
    """,
    ),
    Program(
        "batch_generator_bad_row",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf


        def rows():
            rng = np.random.default_rng(10)
            for i in range(40):
                a = rng.normal()
                yield (a, np.sqrt(abs(a)) if i != 23 else np.sqrt(-np.abs(a))), 2.0 * a


        def collect(n):
            x, y = [], []
            for features, label in rows():
                x.append(features)
                y.append([label])
                if len(x) == n:
                    yield np.array(x, dtype="float32"), np.array(y, dtype="float32")  # cause
                    x, y = [], []


        np.seterr(all="ignore")
        w = tf.Variable([[0.0], [0.0]])
        for x, y in collect(8):  # cause
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - y) ** 2)  # cause
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "class_scores_saliency",
        "non-scalar-target-summed",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)


        class Classifier(tf.Module):
            def __init__(self):
                super().__init__()
                self.w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))

            @tf.function
            def __call__(self, x):
                return tf.nn.softmax(x @ self.w)  # cause


        def saliency(model, x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                p = model(x)
            return tape.gradient(p, x)  # cause


        x = tf.constant(rng.normal(size=(2, 5)).astype("float32"))
        print("RESULT:", np.round(saliency(Classifier(), x).numpy(), 5))
    """,
    ),
    Program(
        "leaky_pinn_residual",
        "piecewise-linear-second-derivative",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        w1 = tf.Variable(rng.normal(size=(1, 6)).astype("float32"))
        w2 = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))


        def field(x):
            return tf.nn.leaky_relu(x @ w1, 0.1) @ w2  # cause


        def laplacian(f, x):
            with tf.GradientTape() as t2:
                t2.watch(x)
                with tf.GradientTape() as t1:
                    t1.watch(x)
                    u = f(x)
                first = t1.gradient(u, x)
            return t2.gradient(first, x, unconnected_gradients="zero")


        x = tf.constant(np.linspace(-1, 1, 7, dtype="float32")[:, None])
        print("RESULT:", laplacian(field, x).numpy().ravel())
    """,
    ),
    Program(
        "residual_plot_broadcast",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        t = np.linspace(0, 1, 25, dtype="float32")
        signal = np.exp(-2 * t) + 0.01 * rng.normal(size=25).astype("float32")


        class Decay(tf.Module):
            def __init__(self):
                super().__init__()
                self.rate = tf.Variable(1.0)
                self.amplitude = tf.Variable([1.0])

            def __call__(self, t):
                return self.amplitude * tf.exp(-self.rate * t[:, None])


        model = Decay()
        observed = tf.constant(signal, tf.float32)


        @tf.function
        def loss_fn():
            return tf.reduce_mean(tf.abs(model(t) - observed))  # cause


        for _ in range(20):
            with tf.GradientTape() as tape:
                loss = loss_fn()
            for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
                v.assign_sub(0.1 * g)
        print("RESULT:", model.rate.numpy(), model.amplitude.numpy())
    """,
    ),
    Program(
        "softmax_over_classes_first",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(20)
        x = rng.normal(size=(16, 5)).astype("float32")
        y = rng.integers(0, 3, 16)
        w = tf.Variable(rng.normal(0, 0.1, (5, 3)).astype("float32"))


        @tf.function
        def probabilities(x):
            return tf.nn.softmax(x @ w, axis=0)  # cause


        def loss_fn(x, y):
            p = probabilities(x)
            picked = tf.gather(p, y, axis=1, batch_dims=1)
            return -tf.reduce_mean(tf.math.log(picked))


        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = loss_fn(x, y)
            w.assign_sub(tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "cosine_of_zero_embedding",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(21)
        table = tf.Variable(np.vstack([np.zeros((1, 3)), rng.normal(size=(4, 3))]).astype("float32"))
        pairs = [(1, 2), (3, 0), (4, 1)]


        def norm(v):
            return tf.reduce_sum(tf.abs(v), axis=-1, keepdims=True)


        def unit(v):
            return v / norm(v)  # cause


        def similarity(pairs):
            left = tf.gather(table, [a for a, _ in pairs])
            right = tf.gather(table, [b for _, b in pairs])
            return tf.reduce_sum(unit(left) * unit(right), axis=1)


        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(similarity(pairs))
        grad = tf.convert_to_tensor(tape.gradient(loss, table))
        print("RESULT:", loss.numpy(), grad.numpy())
    """,
    ),
    Program(
        "float16_accumulated_logits",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(22)
        w = tf.Variable(rng.normal(0, 1, (32, 4)).astype("float32"))
        x = (rng.normal(size=(6, 32)) * 40).astype("float32")
        labels = tf.constant([0, 1, 2, 3, 0, 1])


        def autocast(f):
            return lambda *a: tf.cast(f(*[tf.cast(v, tf.float16) for v in a]), tf.float32)


        @autocast
        def logits(x, w):
            z = tf.matmul(x, w)
            return z * z  # cause


        with tf.GradientTape() as tape:
            z = logits(x, w)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=z))
        print("RESULT:", loss.numpy(), tape.gradient(loss, w).numpy().ravel()[:3])
    """,
    ),
    Program(
        "gate_softmax_one_expert",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(23)
        EXPERTS = 1
        gate = tf.Variable(rng.normal(size=(4, EXPERTS)).astype("float32"), name="gate")
        experts = [tf.Variable(rng.normal(size=(4, 2)).astype("float32")) for _ in range(EXPERTS)]
        x = rng.normal(size=(7, 4)).astype("float32")
        y = rng.normal(size=(7, 2)).astype("float32")


        def route(x):
            return tf.nn.softmax(x @ gate, axis=-1)  # cause


        def mixture(x):
            outputs = tf.stack([x @ e for e in experts], axis=1)
            return tf.einsum("be,beo->bo", route(x), outputs)


        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((mixture(x) - y) ** 2)
        print("RESULT:", tape.gradient(loss, gate).numpy().ravel())
    """,
    ),
]
