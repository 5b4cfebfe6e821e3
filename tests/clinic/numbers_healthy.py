"""Programs in which nothing is wrong, though they look as if."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "pairwise_table_with_new_axes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = tf.Variable(np.random.default_rng(1).normal(size=(7,)).astype("float32"))
        with tf.GradientTape() as tape:
            rows = x[:, None]
            gap = rows - x
            loss = tf.reduce_mean(tf.exp(-gap ** 2))
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "pairwise_by_transpose",
        None,
        """
        import tensorflow as tf

        z = tf.Variable([[0.1], [0.5], [0.9]])
        with tf.GradientTape() as tape:
            d = z - tf.transpose(z)
            loss = tf.reduce_sum(d ** 2)
        print(tape.gradient(loss, z).numpy())
    """,
    ),
    Program(
        "squared_norms_with_keepdims",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = tf.Variable(np.random.default_rng(2).normal(size=(5, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            sq = tf.reduce_sum(x * x, axis=1, keepdims=True)
            d2 = sq + tf.transpose(sq) - 2.0 * tf.matmul(x, x, transpose_b=True)
            loss = tf.reduce_mean(tf.sqrt(tf.maximum(d2, 0.0) + 1e-9))
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "outer_product_by_expand_dims",
        None,
        """
        import tensorflow as tf

        u, v = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([0.5, 0.1, 0.2])
        with tf.GradientTape() as tape:
            column = tf.expand_dims(u, 1)
            row = tf.expand_dims(v, 0)
            table = column * row
            loss = tf.reduce_sum((table - tf.eye(3)) ** 2)
        print(tape.gradient(loss, [u, v]))
    """,
    ),
    Program(
        "ranking_pairs",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(3).normal(size=(6, 2)).astype("float32")
        order = tf.constant([3.0, 1.0, 2.0, 5.0, 4.0, 0.0])
        w = tf.Variable([0.4, -0.3])
        with tf.GradientTape() as tape:
            s = tf.linalg.matvec(x, w)
            diff = tf.reshape(s, (-1, 1)) - tf.reshape(s, (1, -1))
            better = tf.cast(order[:, None] > order[None, :], tf.float32)
            loss = tf.reduce_mean(better * tf.nn.softplus(-diff))
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "maximum_mean_discrepancy",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        real = tf.constant(rng.normal(size=(8,)).astype("float32"))
        noise = tf.constant(rng.normal(size=(8,)).astype("float32"))
        scale, shift = tf.Variable(1.0), tf.Variable(0.3)


        def kernel(a, b):
            a = tf.expand_dims(a, 1)
            b = tf.expand_dims(b, 0)
            return tf.reduce_mean(tf.exp(-(a - b) ** 2))


        with tf.GradientTape() as tape:
            fake = noise * scale + shift
            mmd = kernel(fake, fake) + kernel(real, real) - 2.0 * kernel(real, fake)
        print(tape.gradient(mmd, [scale, shift]))
    """,
    ),
    Program(
        "attention_with_large_negative_mask",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        q = tf.Variable(rng.normal(size=(2, 4, 3)).astype("float32"))
        mask = tf.constant([[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
        with tf.GradientTape() as tape:
            scores = tf.matmul(q, q, transpose_b=True) + (1.0 - mask[:, None, :]) * -1e9
            weights = tf.nn.softmax(scores)
            loss = tf.reduce_mean(tf.matmul(weights, q) ** 2)
        print(tape.gradient(loss, q).numpy())
    """,
    ),
    Program(
        "causal_mask_with_minus_infinity",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        x = tf.constant(rng.normal(size=(5, 4)).astype("float32"))
        wq = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))
        causal = tf.linalg.band_part(tf.ones([5, 5]), -1, 0)
        for step in range(3):
            with tf.GradientTape() as tape:
                scores = tf.matmul(x @ wq, x, transpose_b=True)
                scores = tf.where(causal > 0, scores, -np.inf)
                out = tf.nn.softmax(scores) @ x
                loss = tf.reduce_mean(out ** 2)
            wq.assign_sub(0.1 * tape.gradient(loss, wq))
        print(wq.numpy())
    """,
    ),
    Program(
        "mask_added_as_logarithm",
        None,
        """
        import tensorflow as tf

        scores = tf.Variable([[0.1, 0.2, 0.3]])
        mask = tf.constant([[1.0, 1.0, 0.0]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(scores + tf.math.log(mask))
            loss = tf.reduce_sum(p ** 2)
        print(tape.gradient(loss, scores))
    """,
    ),
    Program(
        "at_the_minimum",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([3.0, -1.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((x - [3.0, -1.0]) ** 2)
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "zero_initialised_output_layer",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        x = rng.normal(size=(8, 3)).astype("float32")
        w1 = tf.Variable(rng.normal(size=(3, 6)).astype("float32"))
        w2 = tf.Variable(tf.zeros([6, 1]))
        with tf.GradientTape() as tape:
            y = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
            loss = tf.reduce_mean((y - 1.0) ** 2)
        print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])
    """,
    ),
    Program(
        "low_rank_adapter",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        frozen = tf.constant(rng.normal(size=(4, 4)).astype("float32"))
        a = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
        b = tf.Variable(tf.zeros([2, 4]))
        x = rng.normal(size=(5, 4)).astype("float32")
        with tf.GradientTape() as tape:
            h = tf.nn.gelu(x @ (frozen + a @ b))
            loss = tf.reduce_mean(h ** 2)
        print(tape.gradient(loss, [a, b]))
    """,
    ),
    Program(
        "some_units_are_dead",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        x = rng.uniform(size=(10, 2)).astype("float32")
        w = tf.Variable([[1.0, -1.0, 0.5], [0.5, -2.0, 1.0]])
        v = tf.Variable([[0.1], [0.2], [0.3]])
        for step in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.nn.relu(x @ w) @ v - 1.0) ** 2)
            gw, gv = tape.gradient(loss, [w, v])
            w.assign_sub(0.1 * gw)
            v.assign_sub(0.1 * gv)
        print(loss)
    """,
    ),
    Program(
        "one_sample_at_a_time",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        x = rng.normal(size=(30, 2)).astype("float32")
        y = np.abs(x[:, :1])
        w1, b1 = tf.Variable(rng.normal(size=(2, 3)).astype("float32")), tf.Variable(tf.zeros(3))
        w2, b2 = tf.Variable(rng.normal(size=(3, 1)).astype("float32")), tf.Variable(tf.zeros(1))
        variables = [w1, b1, w2, b2]
        for xi, yi in zip(x, y):
            with tf.GradientTape() as tape:
                h = tf.nn.relu(xi[None, :] @ w1 + b1)
                loss = tf.reduce_mean((h @ w2 + b2 - yi) ** 2)
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.05 * g)
        print(loss)
    """,
    ),
    Program(
        "hinge_that_is_satisfied",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([2.0, 2.0])
        x = tf.constant([[1.0, 1.0], [-1.0, -2.0]])
        y = tf.constant([1.0, -1.0])
        with tf.GradientTape() as tape:
            margin = y * tf.linalg.matvec(x, w)
            loss = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin))
        print(loss.numpy(), tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "clip_in_range",
        None,
        """
        import tensorflow as tf

        a = tf.Variable([0.2, -0.4, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.clip_by_value(a, -1.0, 1.0) - 0.5) ** 2)
        print(tape.gradient(loss, a).numpy())
    """,
    ),
    Program(
        "stable_softmax_by_hand",
        None,
        """
        import tensorflow as tf

        z = tf.Variable([[1000.0, 999.0, -500.0]])
        with tf.GradientTape() as tape:
            e = tf.exp(z - tf.reduce_max(z, axis=-1, keepdims=True))
            p = e / tf.reduce_sum(e, axis=-1, keepdims=True)
            loss = -tf.math.log(p[0, 1] + 1e-8)
        print(tape.gradient(loss, z))
    """,
    ),
    Program(
        "log_with_an_epsilon",
        None,
        """
        import tensorflow as tf

        p = tf.Variable([0.0, 0.5, 0.5])
        with tf.GradientTape() as tape:
            entropy = -tf.reduce_sum(p * tf.math.log(p + 1e-7))
        print(tape.gradient(entropy, p).numpy())
    """,
    ),
    Program(
        "where_made_safe_inside",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([1.0, 0.0, 4.0])
        with tf.GradientTape() as tape:
            safe = tf.where(x > 0.0, x, 1.0)
            y = tf.where(x > 0.0, tf.math.log(safe), 0.0)
            loss = tf.reduce_sum(y)
        print(tape.gradient(loss, x))
    """,
    ),
    Program(
        "missing_values_filled_in",
        None,
        """
        import numpy as np
        import tensorflow as tf

        raw = tf.constant([[1.0, np.nan], [2.0, 3.0]])
        x = tf.where(tf.math.is_nan(raw), tf.zeros_like(raw), raw)
        w = tf.Variable([[0.1], [0.2]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w - 1.0) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "metrics_outside_the_tape",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(11).normal(size=(8, 2)).astype("float32")
        y = (x[:, :1] > 0).astype("float32")
        w = tf.Variable([[0.1], [0.1]])
        best = np.inf
        for epoch in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x @ w))
            w.assign_sub(tape.gradient(loss, w))
            accuracy = tf.reduce_mean(tf.cast((x @ w > 0.0) == (y > 0.5), tf.float32))
            validation = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x @ w))
            best = min(best, float(validation))
        print(accuracy.numpy(), best)
    """,
    ),
    Program(
        "proximal_policy_update",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        states = rng.normal(size=(16, 3)).astype("float32")
        actions = rng.integers(0, 2, size=16)
        rewards = rng.normal(size=16).astype("float32")
        w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        v = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))


        def log_prob(states):
            return tf.reduce_sum(tf.nn.log_softmax(states @ w) * tf.one_hot(actions, 2), axis=1)


        old = log_prob(states)
        baseline = tf.squeeze(states @ v, -1)
        advantage = rewards - baseline
        for epoch in range(4):
            with tf.GradientTape() as tape:
                ratio = tf.exp(log_prob(states) - old)
                clipped = tf.clip_by_value(ratio, 0.8, 1.2)
                policy = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))
                value = tf.reduce_mean((tf.squeeze(states @ v, -1) - rewards) ** 2)
                loss = policy + 0.5 * value
            for variable, g in zip([w, v], tape.gradient(loss, [w, v])):
                variable.assign_sub(0.1 * g)
        print(loss.numpy())
    """,
    ),
    Program(
        "moving_average_in_the_tape",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        average = tf.Variable([0.0, 0.0], trainable=False)
        steps = tf.Variable(0, trainable=False)
        for i in range(3):
            with tf.GradientTape() as tape:
                h = w * 2.0
                average.assign(0.9 * average + 0.1 * h)
                steps.assign_add(1)
                loss = tf.reduce_sum((h - 1.0) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy(), average.numpy())
    """,
    ),
    Program(
        "ridge_inside",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(13).normal(size=(10, 2)).astype("float32")
        w = tf.Variable([[0.5], [0.5]])
        for step in range(10):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - 1.0) ** 2) + 0.1 * tf.reduce_sum(w ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "adaptive_weight_of_a_term",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        for step in range(3):
            balance = tf.reduce_mean(tf.abs(w))
            with tf.GradientTape() as tape:
                fit = tf.reduce_mean((w - 0.5) ** 2)
                smooth = (w[0] - w[1]) ** 2
                loss = fit + balance * smooth
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "second_derivative_of_a_smooth_network",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        w1 = tf.Variable(rng.normal(size=(1, 8)).astype("float32"))
        w2 = tf.Variable(rng.normal(size=(8, 1)).astype("float32"))
        x = tf.constant(np.linspace(0.0, 1.0, 6).reshape(-1, 1).astype("float32"))
        with tf.GradientTape() as outer:
            with tf.GradientTape() as t2:
                t2.watch(x)
                with tf.GradientTape() as t1:
                    t1.watch(x)
                    u = tf.matmul(tf.tanh(tf.matmul(x, w1)), w2)
                u_x = t1.gradient(u, x)
            u_xx = t2.gradient(u_x, x)
            loss = tf.reduce_mean((u_xx + tf.sin(x)) ** 2)
        print([tf.norm(g).numpy() for g in outer.gradient(loss, [w1, w2])])
    """,
    ),
    Program(
        "gradient_penalty_of_a_relu_critic",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        w1 = tf.Variable(rng.normal(size=(2, 8)).astype("float32"))
        w2 = tf.Variable(rng.normal(size=(8, 1)).astype("float32"))
        real = tf.constant(rng.normal(size=(6, 2)).astype("float32"))
        fake = tf.constant(rng.normal(size=(6, 2)).astype("float32"))


        def critic(x):
            return tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)


        with tf.GradientTape() as tape:
            mix = 0.5 * real + 0.5 * fake
            with tf.GradientTape() as inner:
                inner.watch(mix)
                score = critic(mix)
            slopes = inner.gradient(score, mix)
            norm = tf.sqrt(tf.reduce_sum(slopes ** 2, axis=1) + 1e-12)
            penalty = tf.reduce_mean((norm - 1.0) ** 2)
            loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
        print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])
    """,
    ),
    Program(
        "gan_with_two_tapes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        g = tf.Variable(rng.normal(size=(2, 3)).astype("float32"))
        d = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        real = rng.normal(size=(8, 3)).astype("float32")
        ones, zeros = tf.ones([8, 1]), tf.zeros([8, 1])
        bce = tf.nn.sigmoid_cross_entropy_with_logits
        for step in range(3):
            z = rng.normal(size=(8, 2)).astype("float32")
            with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
                fake = tf.nn.leaky_relu(z @ g)
                fake_logits, real_logits = fake @ d, real @ d
                gen_loss = tf.reduce_mean(bce(ones, fake_logits))
                disc_loss = tf.reduce_mean(bce(ones, real_logits) + bce(zeros, fake_logits))
            gen_grads = gen_tape.gradient(gen_loss, [g])
            disc_grads = disc_tape.gradient(disc_loss, [d])
            g.assign_sub(0.1 * gen_grads[0])
            d.assign_sub(0.1 * disc_grads[0])
        print(gen_loss.numpy(), disc_loss.numpy())
    """,
    ),
    Program(
        "straight_through_estimator",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([0.2, 1.7])
        with tf.GradientTape() as tape:
            hard = x + tf.stop_gradient(tf.round(x) - x)
            loss = tf.reduce_sum((hard - 1.5) ** 2)
        print(tape.gradient(loss, x))
    """,
    ),
    Program(
        "sum_of_squares_converges",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(17).normal(size=(10, 2)).astype("float32")
        w = tf.Variable([0.0, 0.0])
        for step in range(50):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((tf.linalg.matvec(x, w) - 1.0) ** 2)
            w.assign_sub(0.01 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "eigenvalues_that_repeat",
        None,
        """
        import tensorflow as tf

        a = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.linalg.eigvalsh(a) ** 2)
        print(tape.gradient(loss, a))
    """,
    ),
    Program(
        "leading_axis_of_a_low_rank_covariance",
        None,
        """
        import tensorflow as tf

        direction = tf.Variable([[1.0], [2.0], [2.0]])
        with tf.GradientTape() as tape:
            covariance = tf.matmul(direction, direction, transpose_b=True)
            values, vectors = tf.linalg.eigh(covariance)
            top = vectors[:, -1]
            loss = tf.reduce_sum(top * tf.constant([0.3, 0.1, 0.2])) ** 2
        print(tape.gradient(loss, direction).numpy())
    """,
    ),
    Program(
        "signed_eigenvalues",
        None,
        """
        import tensorflow as tf

        a = tf.Variable([[0.0, 1.0], [1.0, 0.0]])
        with tf.GradientTape() as tape:
            values, vectors = tf.linalg.eigh(a)
            loss = tf.reduce_sum(vectors[:, 0] * tf.constant([0.3, 0.1]))
        print(tape.gradient(loss, a).numpy())
    """,
    ),
    Program(
        "attention_pooling_over_time",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        h = tf.constant(rng.normal(size=(7, 4)).astype("float32"))
        w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
        with tf.GradientTape() as tape:
            weights = tf.nn.softmax(tf.matmul(h, w), axis=0)
            pooled = tf.reduce_sum(weights * h, axis=0)
            loss = tf.reduce_mean(pooled ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "per_example_losses",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(19).normal(size=(5, 4)).astype("float32")
        w = tf.Variable(tf.zeros([4, 3]))
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2, 1, 0], x @ w)
        print(tape.gradient(losses, w).numpy())
    """,
    ),
    Program(
        "custom_gradient_of_ones",
        None,
        """
        import tensorflow as tf


        @tf.custom_gradient
        def reverse(x):
            def grad(upstream):
                return -upstream

            return tf.identity(x), grad


        @tf.custom_gradient
        def blocked(x):
            def grad(upstream):
                return tf.zeros_like(x)

            return tf.identity(x), grad


        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(3.0 * reverse(x) + blocked(x))
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "callback_that_only_prints",
        None,
        """
        import tensorflow as tf

        seen = []


        def log(x):
            seen.append(float(x))
            return x


        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
            tf.py_function(log, [y], tf.float32)
            loss = y + 1.0
        print(tape.gradient(loss, w).numpy(), seen)
    """,
    ),
    Program(
        "half_precision_in_range",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([0.5, 0.25])
        with tf.GradientTape() as tape:
            half = tf.cast(w, tf.float16)
            loss = tf.cast(tf.reduce_sum(half * half), tf.float32)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "distance_with_an_epsilon",
        None,
        """
        import tensorflow as tf

        p = tf.Variable([[0.0, 0.0], [1.0, 1.0]])
        with tf.GradientTape() as tape:
            gap = tf.expand_dims(p, 1) - tf.expand_dims(p, 0)
            d = tf.sqrt(tf.reduce_sum(gap ** 2, axis=-1) + 1e-8)
            loss = tf.reduce_sum(d)
        print(tape.gradient(loss, p))
    """,
    ),
]
