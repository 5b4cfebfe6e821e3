"""Larger programs in which nothing is wrong: models and methods as people write them."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "lstm_by_hand",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        units, features, steps, batch = 4, 3, 6, 5
        x = tf.constant(rng.normal(size=(batch, steps, features)).astype("float32"))
        y = tf.constant(rng.normal(size=(batch, 1)).astype("float32"))
        kernel = tf.Variable(rng.normal(0, 0.3, size=(features + units, 4 * units)).astype("float32"))
        bias = tf.Variable(tf.zeros(4 * units))
        head = tf.Variable(rng.normal(0, 0.3, size=(units, 1)).astype("float32"))
        variables = [kernel, bias, head]
        for epoch in range(3):
            with tf.GradientTape() as tape:
                h, c = tf.zeros([batch, units]), tf.zeros([batch, units])
                for t in range(steps):
                    z = tf.concat([x[:, t], h], axis=1) @ kernel + bias
                    i, f, o, g = tf.split(z, 4, axis=1)
                    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
                    h = tf.sigmoid(o) * tf.tanh(c)
                loss = tf.reduce_mean((h @ head - y) ** 2)
            grads, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
            for v, g in zip(variables, grads):
                v.assign_sub(0.1 * g)
        print(loss.numpy())
    """,
    ),
    Program(
        "transformer_block",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        d, heads, length, batch = 8, 2, 5, 3


        def weight(*shape):
            return tf.Variable(rng.normal(0, 0.2, size=shape).astype("float32"))


        wq, wk, wv, wo, w1, w2 = weight(d, d), weight(d, d), weight(d, d), weight(d, d), weight(d, 16), weight(16, d)
        gamma, beta = tf.Variable(tf.ones(d)), tf.Variable(tf.zeros(d))
        table = weight(11, d)
        tokens = rng.integers(0, 11, size=(batch, length))
        mask = np.triu(np.ones((length, length), dtype="float32"), k=1) * -1e9


        def split_heads(t):
            return tf.transpose(tf.reshape(t, (batch, length, heads, d // heads)), (0, 2, 1, 3))


        def layer_norm(t):
            mean = tf.reduce_mean(t, axis=-1, keepdims=True)
            variance = tf.reduce_mean((t - mean) ** 2, axis=-1, keepdims=True)
            return gamma * (t - mean) / tf.sqrt(variance + 1e-6) + beta


        variables = [wq, wk, wv, wo, w1, w2, gamma, beta, table]
        with tf.GradientTape() as tape:
            x = tf.gather(table, tokens)
            q, k, v = split_heads(x @ wq), split_heads(x @ wk), split_heads(x @ wv)
            scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(d // heads).astype("float32") + mask
            context = tf.matmul(tf.nn.softmax(scores, axis=-1), v)
            x = layer_norm(x + tf.reshape(tf.transpose(context, (0, 2, 1, 3)), (batch, length, d)) @ wo)
            x = layer_norm(x + tf.nn.relu(x @ w1) @ w2)
            logits = tf.einsum("bld,vd->blv", x, table)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.roll(tokens, -1, axis=1), logits=logits)
            loss = tf.reduce_mean(losses)
        grads = tape.gradient(loss, variables)
        print(loss.numpy(), [type(g).__name__ for g in grads])
    """,
    ),
    Program(
        "small_convolutional_network",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        images = rng.random((6, 8, 8, 1)).astype("float32")
        labels = rng.integers(0, 3, size=6)
        k1 = tf.Variable(rng.normal(0, 0.3, size=(3, 3, 1, 4)).astype("float32"))
        k2 = tf.Variable(rng.normal(0, 0.3, size=(3, 3, 4, 4)).astype("float32"))
        dense = tf.Variable(rng.normal(0, 0.3, size=(16, 3)).astype("float32"))
        for step in range(3):
            with tf.GradientTape() as tape:
                h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(images, k1, 1, "SAME")), 2, 2, "SAME")
                h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, k2, 1, "SAME")), 2, 2, "SAME")
                logits = tf.matmul(tf.reshape(h, (6, -1)), dense)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
            for v, g in zip([k1, k2, dense], tape.gradient(loss, [k1, k2, dense])):
                v.assign_sub(0.1 * g)
        print(loss.numpy())
    """,
    ),
    Program(
        "batch_norm_with_moving_averages",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        x = rng.normal(2.0, 3.0, size=(16, 4)).astype("float32")
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        gamma, beta = tf.Variable(tf.ones(3)), tf.Variable(tf.zeros(3))
        moving_mean = tf.Variable(tf.zeros(3), trainable=False)
        moving_var = tf.Variable(tf.ones(3), trainable=False)
        for step in range(3):
            with tf.GradientTape() as tape:
                h = x @ w
                mean, var = tf.nn.moments(h, axes=[0])
                moving_mean.assign(0.9 * moving_mean + 0.1 * mean)
                moving_var.assign(0.9 * moving_var + 0.1 * var)
                out = gamma * (h - mean) * tf.math.rsqrt(var + 1e-3) + beta
                loss = tf.reduce_mean((out - 1.0) ** 2)
            variables = [w, gamma, beta]
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print(moving_mean.numpy())
    """,
    ),
    Program(
        "adam_by_hand",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        x = rng.normal(size=(20, 3)).astype("float32")
        y = (x @ np.array([[1.0], [0.0], [-1.0]])).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))
        m, v = tf.Variable(tf.zeros([3, 1]), trainable=False), tf.Variable(tf.zeros([3, 1]), trainable=False)
        for t in range(1, 20):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.abs(x @ w - y))
            g = tape.gradient(loss, w)
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g**2)
            step = m / (1 - 0.9**t) / (tf.sqrt(v / (1 - 0.999**t)) + 1e-8)
            w.assign_sub(0.05 * step)
        print(w.numpy().ravel())
    """,
    ),
    Program(
        "gaussian_process_with_jitter",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        x = np.sort(rng.uniform(0, 3, size=(8, 1)), axis=0).astype("float64")
        y = np.sin(x)
        log_length, log_noise = tf.Variable(0.0, dtype=tf.float64), tf.Variable(-2.0, dtype=tf.float64)


        def kernel(a, b):
            square = tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
            return tf.exp(-0.5 * square / tf.exp(2.0 * log_length))


        for step in range(5):
            with tf.GradientTape() as tape:
                k = kernel(x, x) + tf.exp(log_noise) * tf.eye(8, dtype=tf.float64)
                root = tf.linalg.cholesky(k)
                alpha = tf.linalg.cholesky_solve(root, y)
                fit = 0.5 * tf.reduce_sum(y * alpha)
                complexity = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(root)))
                loss = fit + complexity
            for v, g in zip([log_length, log_noise], tape.gradient(loss, [log_length, log_noise])):
                v.assign_sub(0.01 * g)
        print(loss.numpy())
    """,
    ),
    Program(
        "contrastive_pairs",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        a, b = (rng.normal(size=(6, 5)).astype("float32") for _ in range(2))
        w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            za, zb = tf.math.l2_normalize(a @ w, axis=1), tf.math.l2_normalize(b @ w, axis=1)
            similarity = tf.matmul(za, zb, transpose_b=True) / 0.1
            labels = tf.range(6)
            forward = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, similarity)
            backward = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(similarity))
            loss = tf.reduce_mean(forward + backward)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "deep_q_learning",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        w, target_w = (tf.Variable(rng.normal(size=(4, 2)).astype("float32")) for _ in range(2))
        s, s2 = (rng.normal(size=(10, 4)).astype("float32") for _ in range(2))
        a, r = rng.integers(0, 2, size=10), rng.normal(size=10).astype("float32")
        for step in range(4):
            next_q = tf.reduce_max(s2 @ w, axis=1)
            goal = r + 0.9 * next_q
            with tf.GradientTape() as tape:
                q = tf.reduce_sum((s @ w) * tf.one_hot(a, 2), axis=1)
                loss = tf.reduce_mean(tf.square(goal - q))
            w.assign_sub(0.05 * tape.gradient(loss, w))
            if step % 2 == 0:
                target_w.assign(w)
        print(loss.numpy())
    """,
    ),
    Program(
        "policy_gradient_with_a_baseline",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        theta = tf.Variable(tf.zeros([3]))
        value = tf.Variable(0.0)
        for episode in range(5):
            probabilities = tf.nn.softmax(theta).numpy()
            actions = rng.choice(3, size=20, p=probabilities / probabilities.sum())
            rewards = (actions == 2).astype("float32") + rng.normal(0, 0.1, size=20).astype("float32")
            advantage = rewards - float(value)
            with tf.GradientTape() as tape:
                log_p = tf.gather(tf.nn.log_softmax(theta), actions)
                entropy = -tf.reduce_sum(tf.nn.softmax(theta) * tf.nn.log_softmax(theta))
                loss = -tf.reduce_mean(log_p * advantage) - 0.01 * entropy + tf.reduce_mean((value - rewards) ** 2)
            for v, g in zip([theta, value], tape.gradient(loss, [theta, value])):
                v.assign_sub(0.1 * g)
        print(theta.numpy())
    """,
    ),
    Program(
        "mixture_density",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        data = np.concatenate([rng.normal(-2, 0.5, 20), rng.normal(2, 0.5, 20)]).astype("float32")
        logits, mu, log_sigma = tf.Variable([0.1, -0.1]), tf.Variable([-1.0, 1.0]), tf.Variable([0.0, 0.0])
        for step in range(5):
            with tf.GradientTape() as tape:
                z = (data[:, None] - mu) / tf.exp(log_sigma)
                log_density = -0.5 * z**2 - log_sigma - 0.5 * np.log(2 * np.pi).astype("float32")
                mixed = tf.reduce_logsumexp(tf.nn.log_softmax(logits) + log_density, axis=1)
                loss = -tf.reduce_mean(mixed)
            for v, g in zip([logits, mu, log_sigma], tape.gradient(loss, [logits, mu, log_sigma])):
                v.assign_sub(0.1 * g)
        print(mu.numpy())
    """,
    ),
    Program(
        "triplet_margin",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        anchor, positive, negative = (rng.normal(size=(8, 4)).astype("float32") for _ in range(3))
        w = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
        with tf.GradientTape() as tape:
            a, p, n = anchor @ w, positive @ w, negative @ w
            d_pos = tf.reduce_sum((a - p) ** 2, axis=1)
            d_neg = tf.reduce_sum((a - n) ** 2, axis=1)
            loss = tf.reduce_mean(tf.maximum(d_pos - d_neg + 0.2, 0.0))
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "maml_inner_step",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        w = tf.Variable([[0.5], [0.1]])
        xs, xq = (rng.normal(size=(5, 2)).astype("float32") for _ in range(2))
        ys, yq = xs[:, :1] * 2.0, xq[:, :1] * 2.0
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                support = tf.reduce_mean((xs @ w - ys) ** 2)
            fast = w - 0.1 * inner.gradient(support, w)
            query = tf.reduce_mean((xq @ fast - yq) ** 2)
        print(outer.gradient(query, w).numpy())
    """,
    ),
    Program(
        "hessian_vector_product",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0, 3.0])
        v = tf.constant([1.0, 0.0, -1.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                f = tf.reduce_sum(x**3) + x[0] * x[1] * x[2]
            g = inner.gradient(f, x)
            directional = tf.reduce_sum(g * v)
        print(outer.gradient(directional, x).numpy())
    """,
    ),
    Program(
        "jacobian_of_a_softmax",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([0.1, 0.2, 0.7])
        with tf.GradientTape() as tape:
            y = tf.nn.softmax(x)
        print(tape.jacobian(y, x).numpy())
    """,
    ),
    Program(
        "option_greeks",
        None,
        """
        import tensorflow as tf

        spot, vol = tf.Variable([80.0, 100.0, 120.0]), tf.Variable(0.2)
        strike, rate, time = 100.0, 0.01, 0.5
        with tf.GradientTape(persistent=True) as tape:
            root = vol * tf.sqrt(tf.constant(time))
            d1 = (tf.math.log(spot / strike) + (rate + 0.5 * vol**2) * time) / root
            cdf = lambda z: 0.5 * (1.0 + tf.math.erf(z / tf.sqrt(2.0)))
            price = spot * cdf(d1) - strike * tf.exp(-rate * time) * cdf(d1 - root)
        delta, vega = tape.gradient(price, spot), tape.gradient(price, vol)
        print(delta.numpy(), vega.numpy())
    """,
    ),
    Program(
        "monte_carlo_payoff",
        None,
        """
        import numpy as np
        import tensorflow as tf

        z = tf.constant(np.random.default_rng(12).normal(size=(200, 10)).astype("float32"))
        s0, sigma = tf.Variable(100.0), tf.Variable(0.3)
        with tf.GradientTape() as tape:
            steps = (0.01 - 0.5 * sigma**2) * 0.1 + sigma * np.sqrt(0.1).astype("float32") * z
            path = s0 * tf.exp(tf.cumsum(steps, axis=1))
            payoff = tf.maximum(tf.reduce_mean(path, axis=1) - 100.0, 0.0)
            price = tf.reduce_mean(payoff)
        print([g.numpy() for g in tape.gradient(price, [s0, sigma])])
    """,
    ),
    Program(
        "spring_simulation",
        None,
        """
        import tensorflow as tf

        stiffness, damping = tf.Variable(4.0), tf.Variable(0.1)
        with tf.GradientTape() as tape:
            x, v = tf.constant(1.0), tf.constant(0.0)
            energy = tf.constant(0.0)
            for step in range(50):
                v = v - 0.05 * (stiffness * x + damping * v)
                x = x + 0.05 * v
                energy += 0.05 * x**2
        print([g.numpy() for g in tape.gradient(energy, [stiffness, damping])])
    """,
    ),
    Program(
        "quantile_regression",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        x = rng.uniform(size=(30, 1)).astype("float32")
        y = (2 * x + rng.normal(0, 0.1, size=(30, 1))).astype("float32")
        quantiles = tf.constant([0.1, 0.5, 0.9])
        w, b = tf.Variable(tf.zeros([1, 3])), tf.Variable(tf.zeros([3]))
        for step in range(5):
            with tf.GradientTape() as tape:
                error = y - (x @ w + b)
                loss = tf.reduce_mean(tf.maximum(quantiles * error, (quantiles - 1.0) * error))
            for v, g in zip([w, b], tape.gradient(loss, [w, b])):
                v.assign_sub(0.1 * g)
        print(b.numpy())
    """,
    ),
    Program(
        "soft_histogram",
        None,
        """
        import numpy as np
        import tensorflow as tf

        bins = np.linspace(-1, 1, 8).astype("float32")
        x = tf.Variable(np.random.default_rng(14).normal(size=8).astype("float32"))
        with tf.GradientTape() as tape:
            column = tf.reshape(x, (-1, 1))
            membership = tf.exp(-((column - bins) ** 2) / 0.1)
            counts = tf.reduce_sum(membership, axis=0)
            loss = tf.reduce_sum((counts / tf.reduce_sum(counts) - 0.125) ** 2)
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "kernel_ridge_with_as_many_centres_as_points",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.linspace(0, 1, 6).astype("float32").reshape(-1, 1)
        y = np.sin(x[:, 0])
        centres = tf.Variable(np.linspace(0, 1, 6).astype("float32"))
        heights = tf.Variable(tf.zeros(6))
        for step in range(3):
            with tf.GradientTape() as tape:
                basis = tf.exp(-10.0 * (x - centres) ** 2)
                prediction = tf.linalg.matvec(basis, heights)
                loss = tf.reduce_mean((prediction - y) ** 2)
            for v, g in zip([centres, heights], tape.gradient(loss, [centres, heights])):
                v.assign_sub(0.1 * g)
        print(heights.numpy())
    """,
    ),
    Program(
        "coulomb_energy",
        None,
        """
        import numpy as np
        import tensorflow as tf

        positions = tf.Variable(np.random.default_rng(15).normal(size=(5, 3)).astype("float32"))
        off_diagonal = 1.0 - np.eye(5, dtype="float32")
        with tf.GradientTape() as tape:
            gap = tf.expand_dims(positions, 0) - tf.expand_dims(positions, 1)
            squared = tf.reduce_sum(gap**2, axis=-1) + tf.eye(5)
            energy = 0.5 * tf.reduce_sum(off_diagonal / tf.sqrt(squared))
        print((-tape.gradient(energy, positions)).numpy())
    """,
    ),
    Program(
        "sparse_rewards_and_gates",
        None,
        """
        import tensorflow as tf

        gate = tf.Variable([0.3, -0.2, 0.0])
        x = tf.constant([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
        with tf.GradientTape() as tape:
            y = x * tf.sigmoid(gate)
            loss = tf.reduce_sum(y**2)
        print(tape.gradient(loss, gate).numpy())
    """,
    ),
    Program(
        "unused_embedding_rows",
        None,
        """
        import tensorflow as tf

        table = tf.Variable(tf.ones([10, 2]))
        with tf.GradientTape() as tape:
            rows = tf.nn.embedding_lookup(table, [1, 3, 3])
            loss = tf.reduce_sum(rows**2)
        grad = tape.gradient(loss, table)
        print(tf.convert_to_tensor(grad).numpy())
    """,
    ),
    Program(
        "dropout_and_weight_sharing",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(0)
        x = np.random.default_rng(16).normal(size=(6, 4)).astype("float32")
        w = tf.Variable(np.random.default_rng(17).normal(0, 0.3, size=(4, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            code = tf.nn.dropout(tf.nn.relu(x @ w), rate=0.3)
            restored = tf.matmul(code, w, transpose_b=True)
            loss = tf.reduce_mean((restored - x) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "gradient_accumulation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        x = rng.normal(size=(8, 2)).astype("float32")
        w = tf.Variable([[0.1], [0.2]])
        total = [tf.zeros_like(w)]
        for start in range(0, 8, 2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x[start : start + 2] @ w - 1.0) ** 2)
            total = [t + g for t, g in zip(total, tape.gradient(loss, [w]))]
        w.assign_sub(0.1 * total[0] / 4.0)
        print(w.numpy())
    """,
    ),
    Program(
        "adversarial_example",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        image = tf.constant(rng.random((1, 9)).astype("float32"))
        w = tf.Variable(rng.normal(size=(9, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            tape.watch(image)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits([1], image @ w)
        attacked = image + 0.1 * tf.sign(tape.gradient(loss, image))
        with tf.GradientTape() as tape:
            clean = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([1], image @ w))
            hard = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([1], attacked @ w))
            loss = clean + hard
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "knowledge_distillation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(20)
        x = rng.normal(size=(6, 4)).astype("float32")
        teacher = tf.constant(rng.normal(size=(4, 3)).astype("float32"))
        student = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        soft = tf.nn.softmax(x @ teacher / 2.0)
        with tf.GradientTape() as tape:
            losses = tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=x @ student / 2.0)
            loss = 4.0 * tf.reduce_mean(losses)
        print(tape.gradient(loss, student).numpy())
    """,
    ),
    Program(
        "gumbel_softmax",
        None,
        """
        import tensorflow as tf

        tf.random.set_seed(1)
        logits = tf.Variable([[0.1, 0.5, -0.2]])
        with tf.GradientTape() as tape:
            u = tf.random.uniform([1, 3], minval=1e-6)
            noise = -tf.math.log(-tf.math.log(u))
            relaxed = tf.nn.softmax((logits + noise) / 0.5)
            hard = tf.one_hot(tf.argmax(relaxed, axis=-1), 3)
            choice = tf.stop_gradient(hard - relaxed) + relaxed
            loss = tf.reduce_sum(choice * tf.constant([[1.0, 2.0, 3.0]]))
        print(tape.gradient(loss, logits).numpy())
    """,
    ),
    Program(
        "perceptron_until_separated",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = tf.constant([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
        y = tf.constant([1.0, 1.0, -1.0, -1.0])
        w = tf.Variable([0.1, -0.3])
        for step in range(30):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.relu(-y * tf.linalg.matvec(x, w)))
            w.assign_sub(0.5 * tape.gradient(loss, w))
        print(w.numpy(), loss.numpy())
    """,
    ),
    Program(
        "relu_output_that_fits",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([1.0, 1.0])
        x = tf.constant([[1.0, 2.0], [0.5, 0.1]])
        y = tf.constant([3.0, 0.6])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.nn.relu(tf.linalg.matvec(x, w)) - y) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "normalising_flow",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(21).normal(size=(12, 2)).astype("float32")
        s, t = tf.Variable([[0.1, 0.2]]), tf.Variable([[0.0, 0.0]])
        with tf.GradientTape() as tape:
            z = x * tf.exp(s) + t
            log_p = -0.5 * tf.reduce_sum(z**2, axis=1) + tf.reduce_sum(s)
            loss = -tf.reduce_mean(log_p)
        print([g.numpy() for g in tape.gradient(loss, [s, t])])
    """,
    ),
    Program(
        "slot_attention_step",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(22)
        inputs = tf.constant(rng.normal(size=(7, 4)).astype("float32"))
        slots = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            logits = tf.matmul(inputs, slots, transpose_b=True)
            attention = tf.nn.softmax(logits, axis=1)
            weights = attention / tf.reduce_sum(attention, axis=0, keepdims=True)
            updates = tf.matmul(weights, inputs, transpose_a=True)
            loss = tf.reduce_mean((updates - slots) ** 2)
        print(tape.gradient(loss, slots).numpy())
    """,
    ),
    Program(
        "soft_assignment_of_points",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(23)
        points = tf.constant(rng.normal(size=(9, 2)).astype("float32"))
        centres = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        with tf.GradientTape() as tape:
            d = tf.reduce_sum((points[:, None] - centres[None]) ** 2, axis=-1)
            share = tf.nn.softmax(-d, axis=1)
            loss = tf.reduce_mean(tf.reduce_sum(share * d, axis=1))
        print(tape.gradient(loss, centres).numpy())
    """,
    ),
    Program(
        "fine_regimes",
        None,
        """
        import tensorflow as tf
        x = tf.constant([0.1, 0.3, 0.2])
        a, b = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.where(x < 0.5, a * x, b * x)
            loss = tf.reduce_mean((y - 1.0) ** 2)
        print(tape.gradient(loss, [a, b]))
    """,
    ),
    Program(
        "fine_dual_softmax",
        None,
        """
        import numpy as np
        import tensorflow as tf
        s = tf.Variable(np.random.default_rng(0).normal(size=(4, 5)).astype("float32"))
        with tf.GradientTape() as tape:
            conf = tf.nn.softmax(s, axis=0) * tf.nn.softmax(s, axis=1)
            loss = -tf.reduce_mean(tf.math.log(conf + 1e-9))
        print(tape.gradient(loss, s))
    """,
    ),
    Program(
        "fine_moe",
        None,
        """
        import numpy as np
        import tensorflow as tf
        x = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
        gate = tf.Variable(np.random.default_rng(1).normal(size=(4, 5)).astype("float32"))
        experts = tf.Variable(np.random.default_rng(2).normal(size=(5, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            probs = tf.nn.softmax(x @ gate)
            top, index = tf.math.top_k(probs, k=2)
            weights = tf.nn.softmax(top)
            chosen = tf.gather(experts, index)
            out = tf.einsum("nk,nkd->nd", weights, chosen)
            loss = tf.reduce_mean((out - x) ** 2)
        g = tape.gradient(loss, [gate, experts])
        print(tf.norm(g[0]))
    """,
    ),
    Program(
        "fine_lagrange",
        None,
        """
        import tensorflow as tf
        x, lam = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            c = tf.reduce_sum(x) - 3.0
            lagrangian = tf.reduce_sum(x ** 2) + lam * c
        print(tape.gradient(lagrangian, [x, lam]))
    """,
    ),
    Program(
        "fine_zero_weight",
        None,
        """
        import tensorflow as tf
        w, v = tf.Variable([1.0]), tf.Variable([2.0])
        for weight in [0.0, 0.0]:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w ** 2) + weight * tf.reduce_sum(tf.exp(v))
            print(tape.gradient(loss, [w, v]))
    """,
    ),
    Program(
        "fine_mmd_numpy",
        None,
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        real = rng.normal(size=10).astype("float32").reshape(-1, 1)
        z = rng.normal(size=10).astype("float32")
        a, b = tf.Variable(1.0), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            fake = a * z + b
            k = tf.exp(-((real - fake) ** 2))
            loss = -tf.reduce_mean(k)
        print(tape.gradient(loss, [a, b]))
    """,
    ),
    Program(
        "fine_ntxent",
        None,
        """
        import numpy as np
        import tensorflow as tf
        z = tf.Variable(np.random.default_rng(0).normal(size=(6, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            zn = z / tf.norm(z, axis=1, keepdims=True)
            sim = zn @ tf.transpose(zn) / 0.5
            sim = sim - 1e9 * tf.eye(6)
            log_prob = tf.nn.log_softmax(sim, axis=1)
            partner = tf.constant([1, 0, 3, 2, 5, 4])
            loss = -tf.reduce_mean(tf.gather(log_prob, partner, batch_dims=1))
        print(tape.gradient(loss, z))
    """,
    ),
    Program(
        "fine_svgd",
        None,
        """
        import numpy as np
        import tensorflow as tf
        x = tf.Variable(np.random.default_rng(0).normal(size=(5, 1)).astype("float32"))
        for step in range(3):
            with tf.GradientTape() as tape:
                logp = -0.5 * tf.reduce_sum(x ** 2)
            score = tape.gradient(logp, x)
            with tf.GradientTape() as tape:
                d = x - tf.transpose(tf.stop_gradient(x))
                k = tf.exp(-d ** 2)
                total = tf.reduce_sum(k)
            repulsion = -tape.gradient(total, x)
            x.assign_add(0.1 * (tf.exp(-(x - tf.transpose(x)) ** 2) @ score + repulsion))
        print(x.numpy().ravel())
    """,
    ),
    Program(
        "fine_target_in_tape_stop",
        None,
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        s, s2 = rng.normal(size=(2, 8, 3)).astype("float32")
        r = rng.normal(size=8).astype("float32")
        with tf.GradientTape() as tape:
            q = tf.reduce_max(s @ w, axis=1)
            target = tf.stop_gradient(r + 0.9 * tf.reduce_max(s2 @ w, axis=1))
            loss = tf.reduce_mean((q - target) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "fine_byol",
        None,
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        online, target = (tf.Variable(rng.normal(size=(4, 3)).astype("float32")) for _ in range(2))
        x = rng.normal(size=(6, 4)).astype("float32")
        for i in range(3):
            with tf.GradientTape() as tape:
                p = tf.math.l2_normalize(x @ online, axis=1)
                z = tf.stop_gradient(tf.math.l2_normalize(x @ target, axis=1))
                loss = 2.0 - 2.0 * tf.reduce_mean(tf.reduce_sum(p * z, axis=1))
            online.assign_sub(0.1 * tape.gradient(loss, online))
            target.assign(0.9 * target + 0.1 * online)
        print(loss)
    """,
    ),
    Program(
        "fine_reinforce_surrogate",
        None,
        """
        import tensorflow as tf
        theta = tf.Variable(0.3)
        with tf.GradientTape() as tape:
            logp = -0.5 * (1.2 - theta) ** 2
            cost = (1.2 - 1.0) ** 2
            loss = cost + logp * cost - tf.stop_gradient(logp * cost)
        print(tape.gradient(loss, theta))
    """,
    ),
    Program(
        "fine_ctc_like_dp",
        None,
        """
        import numpy as np
        import tensorflow as tf
        e = tf.Variable(np.random.default_rng(0).normal(size=(5, 3)).astype("float32"))
        t = tf.Variable(np.random.default_rng(1).normal(size=(3, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            alpha = e[0]
            for i in range(1, 5):
                alpha = tf.reduce_logsumexp(alpha[:, None] + t, axis=0) + e[i]
            logz = tf.reduce_logsumexp(alpha)
            gold = e[0, 1] + e[1, 1] + e[2, 0] + e[3, 2] + e[4, 1] + t[1, 1] + t[1, 0] + t[0, 2] + t[2, 1]
            loss = logz - gold
        print(tape.gradient(loss, [e, t]))
    """,
    ),
    Program(
        "fine_viterbi_init_neg_inf",
        None,
        """
        import numpy as np
        import tensorflow as tf
        e = tf.Variable(np.random.default_rng(0).normal(size=(4, 3)).astype("float32"))
        start = tf.constant([0.0, -np.inf, -np.inf])
        with tf.GradientTape() as tape:
            alpha = start + e[0]
            for i in range(1, 4):
                alpha = tf.reduce_logsumexp(alpha[:, None] + tf.zeros([3, 3]), axis=0) + e[i]
            loss = -tf.reduce_logsumexp(alpha)
        print(tape.gradient(loss, e))
    """,
    ),
    Program(
        "fine_min_with_inf",
        None,
        """
        import numpy as np
        import tensorflow as tf
        d = tf.Variable([[0.0, 2.0], [2.0, 0.0]])
        with tf.GradientTape() as tape:
            masked = tf.where(tf.eye(2) > 0, np.inf, d)
            nearest = tf.reduce_min(masked, axis=1)
            loss = tf.reduce_mean(nearest)
        print(tape.gradient(loss, d))
    """,
    ),
    Program(
        "fine_focal",
        None,
        """
        import tensorflow as tf
        z = tf.Variable([2.0, -1.0, 0.5])
        y = tf.constant([1.0, 0.0, 1.0])
        with tf.GradientTape() as tape:
            p = tf.clip_by_value(tf.sigmoid(z), 1e-6, 1 - 1e-6)
            pt = y * p + (1 - y) * (1 - p)
            loss = -tf.reduce_mean((1 - pt) ** 2 * tf.math.log(pt))
        print(tape.gradient(loss, z))
    """,
    ),
    Program(
        "fine_watch_const_input",
        None,
        """
        import tensorflow as tf
        x = tf.constant([[1.0, 2.0]])
        w = tf.Variable([[1.0], [-1.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            score = tf.nn.relu(x @ w + 3.0)
        saliency = tape.gradient(score, x)
        print(saliency)
    """,
    ),
    Program(
        "fine_saliency_class",
        None,
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        img = tf.Variable(rng.random((2, 6)).astype("float32"))
        w = tf.constant(rng.normal(size=(6, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(img @ w)
            top = tf.reduce_max(p, axis=1)
        print(tape.gradient(top, img))
    """,
    ),
    Program(
        "fine_adversarial_weights_norm",
        None,
        """
        import tensorflow as tf
        g = tf.Variable([[1.0, 2.0], [0.5, 0.1]])
        v = tf.Variable([[0.3], [0.2]])
        with tf.GradientTape() as tape:
            w = g * v / tf.norm(v)
            loss = tf.reduce_sum(w ** 2)
        print(tape.gradient(loss, [g, v]))
    """,
    ),
    Program(
        "fine_spectral_norm",
        None,
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        u = tf.Variable(rng.normal(size=(1, 3)).astype("float32"), trainable=False)
        x = rng.normal(size=(5, 4)).astype("float32")
        for i in range(3):
            v_ = tf.math.l2_normalize(tf.matmul(u, w, transpose_b=True))
            u_ = tf.math.l2_normalize(tf.matmul(v_, w))
            u.assign(u_)
            with tf.GradientTape() as tape:
                sigma = tf.reduce_sum(tf.matmul(v_, w) * u_)
                loss = tf.reduce_mean((x @ (w / sigma)) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(loss)
    """,
    ),
    Program(
        "fine_em_responsibilities",
        None,
        """
        import numpy as np
        import tensorflow as tf
        data = np.concatenate([np.random.default_rng(0).normal(-2, 1, 10), np.random.default_rng(1).normal(2, 1, 10)]).astype("float32")
        mu = tf.Variable([-1.0, 1.0])
        for i in range(4):
            resp = tf.nn.softmax(-0.5 * (data[:, None] - mu) ** 2, axis=1)
            with tf.GradientTape() as tape:
                nll = 0.5 * tf.reduce_sum(resp * (data[:, None] - mu) ** 2) / 20.0
            mu.assign_sub(0.5 * tape.gradient(nll, mu))
        print(mu)
    """,
    ),
    Program(
        "fine_uncertainty_weights",
        None,
        """
        import tensorflow as tf
        s = tf.Variable([0.0, 0.0])
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            l1, l2 = (w[0] - 3.0) ** 2, (w[1] + 1.0) ** 2
            loss = tf.exp(-s[0]) * l1 + s[0] + tf.exp(-s[1]) * l2 + s[1]
        print(tape.gradient(loss, [s, w]))
    """,
    ),
    Program(
        "fine_previous_loss",
        None,
        """
        import tensorflow as tf
        w = tf.Variable([1.0, 2.0])
        previous = None
        for step in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w - 0.5) ** 2)
            g = tape.gradient(loss, w)
            if previous is not None:
                print("improved by", (previous - loss).numpy())
            previous = loss
            w.assign_sub(0.1 * g)
    """,
    ),
    Program(
        "fine_line_search",
        None,
        """
        import tensorflow as tf
        x = tf.Variable([3.0, -2.0])
        f = lambda v: tf.reduce_sum(v ** 4 + v ** 2)
        for i in range(3):
            with tf.GradientTape() as tape:
                y = f(x)
            g = tape.gradient(y, x)
            t = 1.0
            while f(x - t * g) > y - 0.5 * t * tf.reduce_sum(g ** 2):
                t *= 0.5
            x.assign_sub(t * g)
        print(x.numpy())
    """,
    ),
]
