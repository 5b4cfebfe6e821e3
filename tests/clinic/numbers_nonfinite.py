"""Programs whose gradient is inf or nan."""

from tests.clinic.program import Program

PROGRAMS = [
    # -- exp-overflow --
    Program(
        "softmax_by_hand",
        "exp-overflow",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        x = tf.constant(rng.normal(size=(8, 4)).astype("float32") * 60.0)
        y = tf.one_hot([0, 1, 2, 0, 1, 2, 0, 1], 3)
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


        def softmax(z):
            e = tf.exp(z)  # cause
            return e / tf.reduce_sum(e, axis=1, keepdims=True)


        with tf.GradientTape() as tape:
            p = softmax(tf.matmul(x, w))
            loss = -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p + 1e-9), axis=1))
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "softplus_by_hand",
        "exp-overflow",
        """
        import tensorflow as tf

        rate = tf.Variable([1.0, 50.0, 200.0])
        with tf.GradientTape() as tape:
            positive = tf.math.log(1.0 + tf.exp(rate))  # cause
            loss = tf.reduce_sum((positive - 3.0) ** 2)
        print(tape.gradient(loss, rate).numpy())
    """,
    ),
    Program(
        "log_sum_exp_by_hand",
        "exp-overflow",
        """
        import tensorflow as tf

        energy = tf.constant([[10.0, 20.0, 95.0], [1.0, 2.0, 3.0]])
        temperature = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            scaled = energy / temperature
            weights = tf.exp(scaled)  # cause
            partition = tf.reduce_sum(weights, axis=1)
            free_energy = -temperature * tf.math.log(partition)
            total = tf.reduce_sum(free_energy)
        print(tape.gradient(total, temperature).numpy())
    """,
    ),
    Program(
        "poisson_intensity",
        "exp-overflow",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([[1.0, 400.0], [2.0, 1.0], [0.5, 3.0]], dtype="float32")
        counts = tf.constant([[3.0], [1.0], [0.0]])
        beta = tf.Variable([[0.1], [0.5]])
        with tf.GradientTape() as tape:
            eta = tf.matmul(x, beta)
            mu = tf.exp(eta)  # cause
            nll = tf.reduce_mean(mu - counts * eta)
        grads = tape.gradient(nll, [beta])
        print(grads[0].numpy())
    """,
    ),
    Program(
        "vae_log_variance",
        "exp-overflow",
        """
        import tensorflow as tf

        class Encoder:
            def __init__(self):
                self.kernel = tf.Variable(tf.fill([3, 2], 40.0))

            def __call__(self, x):
                return tf.matmul(x, self.kernel)


        encoder = Encoder()
        batch = tf.constant([[1.0, 2.0, 3.0], [0.1, 0.1, 0.1]])
        with tf.GradientTape() as tape:
            log_var = encoder(batch)
            kl = 0.5 * tf.reduce_sum(
                tf.exp(log_var) - 1.0 - log_var,  # cause
                axis=1,
            )
            loss = tf.reduce_mean(kl)
        print(tape.gradient(loss, encoder.kernel))
    """,
    ),
    # -- log-of-zero --
    Program(
        "cross_entropy_of_a_certain_class",
        "log-of-zero",
        """
        import tensorflow as tf

        logits = tf.Variable([[200.0, -200.0], [1.0, 2.0]])
        labels = tf.constant([[0.0, 1.0], [0.0, 1.0]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(logits)
            loss = -tf.reduce_mean(tf.reduce_sum(labels * tf.math.log(p), axis=1))  # cause
        print(tape.gradient(loss, logits).numpy())
    """,
    ),
    Program(
        "binary_cross_entropy_by_hand",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([[30.0], [2.0], [-1.0]], dtype="float32")
        y = np.array([[1.0], [1.0], [0.0]], dtype="float32")
        w = tf.Variable([[3.0]])
        b = tf.Variable([0.0])
        with tf.GradientTape() as tape:
            p = tf.sigmoid(x @ w + b)
            loss = tf.reduce_mean(
                -y * tf.math.log(p) - (1.0 - y) * tf.math.log(1.0 - p)  # cause
            )
        print([g.numpy() for g in tape.gradient(loss, [w, b])])
    """,
    ),
    Program(
        "entropy_bonus",
        "log-of-zero",
        """
        import tensorflow as tf

        policy = tf.Variable([0.5, 0.5, 0.0])
        with tf.GradientTape() as tape:
            entropy = -tf.reduce_sum(policy * tf.math.log(policy))  # cause
            loss = -entropy
        print(tape.gradient(loss, policy))
    """,
    ),
    Program(
        "kl_of_histograms",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        observed = tf.constant([0.5, 0.25, 0.25, 0.0])
        raw = tf.Variable([1.0, 1.0, 1.0, 1.0])


        def kl(p, q):
            ratio = p / q
            return tf.reduce_sum(p * tf.math.log(ratio))  # cause


        with tf.GradientTape() as tape:
            q = raw / tf.reduce_sum(raw)
            loss = kl(q * observed, q)
        print(tape.gradient(loss, raw).numpy())
    """,
    ),
    Program(
        "geometric_mean",
        "log-of-zero",
        """
        import tensorflow as tf

        prices = tf.Variable([3.0, 0.0, 2.0])
        with tf.GradientTape() as tape:
            mean = tf.exp(tf.reduce_mean(tf.math.log(prices)))  # cause
        print(tape.gradient(mean, prices).numpy())
    """,
    ),
    # -- zero-divided-by-zero --
    Program(
        "normalise_by_sum",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        hits = tf.constant([[3.0, 1.0], [0.0, 0.0], [2.0, 2.0]])
        scale = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            counts = hits * scale
            totals = tf.reduce_sum(counts, axis=1, keepdims=True)
            shares = counts / totals  # cause
            loss = tf.reduce_mean(shares ** 2)
        print(tape.gradient(loss, scale).numpy())
    """,
    ),
    Program(
        "cosine_similarity_of_a_zero_vector",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        documents = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.1, 0.3]], dtype="float32")
        query = tf.Variable([0.3, 0.2, 0.1])


        def cosine(a, b):
            dot = tf.reduce_sum(a * b, axis=-1)
            norms = tf.norm(a, axis=-1) * tf.norm(b, axis=-1)
            return dot / norms  # cause


        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(cosine(documents, query))
        print(tape.gradient(loss, query))
    """,
    ),
    Program(
        "unit_direction",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        start = tf.constant([1.0, 1.0])
        goal = tf.Variable([1.0, 1.0])
        with tf.GradientTape() as tape:
            step = goal - start
            direction = step / tf.sqrt(tf.reduce_sum(step * step))  # cause
            cost = tf.reduce_sum(direction * tf.constant([0.2, 0.4]))
        print(tape.gradient(cost, goal).numpy())
    """,
    ),
    Program(
        "standardised_column",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        table = tf.constant([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
        mean = tf.reduce_mean(table, axis=0)
        std = tf.math.reduce_std(table, axis=0)
        features = (table - mean) / std  # cause
        w = tf.Variable([[1.0], [1.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.matmul(features, w) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "masked_mean_of_nothing",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        scores = tf.Variable([0.2, 0.4, 0.6])
        mask = tf.constant([0.0, 0.0, 0.0])
        with tf.GradientTape() as tape:
            mean = tf.reduce_sum(scores * mask) / tf.reduce_sum(mask)  # cause
            loss = (mean - 1.0) ** 2
        print(tape.gradient(loss, scores))
    """,
    ),
    Program(
        "mean_over_no_samples",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        is_positive = tf.constant([False, False])
        with tf.GradientTape() as tape:
            score = tf.linalg.matvec(x, w)
            positive = tf.boolean_mask(score, is_positive)
            loss = tf.reduce_mean(positive) - tf.reduce_mean(score)  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "inverse_of_total_times_zero",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        votes = tf.Variable([0.0, 0.0])
        with tf.GradientTape() as tape:
            inverse = 1.0 / tf.reduce_sum(votes)  # cause
            share = votes * inverse
            loss = tf.reduce_sum(share)
        print(tape.gradient(loss, votes))
    """,
    ),
    # -- infinite-slope --
    Program(
        "norm_of_a_zero_difference",
        "infinite-slope",
        """
        import tensorflow as tf

        anchor = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        shift = tf.Variable([0.0, 0.0])
        with tf.GradientTape() as tape:
            moved = anchor + shift
            distance = tf.norm(moved - anchor, axis=1)  # cause
            loss = tf.reduce_mean(distance)
        print(tape.gradient(loss, shift).numpy())
    """,
    ),
    Program(
        "square_root_volatility",
        "infinite-slope",
        """
        import tensorflow as tf

        kappa = tf.Variable(1.5)
        variance = tf.constant(0.0)
        noise = [0.3, -0.2, 0.1]
        with tf.GradientTape() as tape:
            v = variance * kappa
            price = tf.constant(100.0)
            for z in noise:
                price = price * (1.0 + 0.01 * tf.sqrt(v) * z)  # cause
                v = v + kappa * (0.04 - v) * 0.01
        print(tape.gradient(price, kappa).numpy())
    """,
    ),
    Program(
        "fractional_power",
        "infinite-slope",
        """
        import tensorflow as tf

        dose = tf.Variable([0.0, 1.0, 4.0])
        with tf.GradientTape() as tape:
            effect = dose ** 0.5  # cause
            loss = tf.reduce_sum(effect * 2.0)
        print(tape.gradient(loss, dose))
    """,
    ),
    Program(
        "angle_between_equal_vectors",
        "infinite-slope",
        """
        import tensorflow as tf

        a = tf.constant([1.0, 0.0, 0.0])
        b = tf.Variable([1.0, 0.0, 0.0])
        with tf.GradientTape() as tape:
            cosine = tf.reduce_sum(a * b)
            angle = tf.acos(cosine)  # cause
            loss = angle ** 2
        print(tape.gradient(loss, b))
    """,
    ),
    Program(
        "spread_of_identical_values",
        "infinite-slope",
        """
        import tensorflow as tf

        w = tf.Variable([[0.0], [0.0]])
        x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as tape:
            h = tf.matmul(x, w)
            spread = tf.math.reduce_std(h, axis=0)  # cause
            loss = tf.reduce_mean((h - 1.0) ** 2) + 0.1 * tf.reduce_sum((spread - 1.0) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "cube_root",
        "infinite-slope",
        """
        import tensorflow as tf

        volume = tf.Variable([8.0, 0.0])
        with tf.GradientTape() as tape:
            side = tf.pow(volume, 1.0 / 3.0)  # cause
            total = tf.reduce_sum(side)
        print(tape.gradient(total, volume).numpy())
    """,
    ),
    Program(
        "leaky_after_a_root",
        "infinite-slope",
        """
        import tensorflow as tf

        x = tf.Variable([0.0, 1.0, 9.0])
        with tf.GradientTape() as tape:
            root = tf.sqrt(x)  # cause
            bent = tf.where(root > 0.5, root, 0.1 * root)
            loss = tf.reduce_sum(bent)
        print(tape.gradient(loss, x))
    """,
    ),
    # -- where-nan-branch --
    Program(
        "safe_log_on_two_lines",
        "where-nan-branch",
        """
        import tensorflow as tf

        x = tf.Variable([1.0, 0.0, 2.0])
        with tf.GradientTape() as tape:
            log_x = tf.math.log(x)  # cause
            safe = tf.where(x > 0.0, log_x, tf.zeros_like(x))
            loss = tf.reduce_sum(safe)
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "guarded_reciprocal",
        "where-nan-branch",
        """
        import tensorflow as tf

        resistance = tf.Variable([2.0, 0.0, 4.0])
        voltage = tf.constant([1.0, 1.0, 1.0])
        with tf.GradientTape() as tape:
            current = tf.where(resistance == 0.0, 0.0, voltage / resistance)  # cause
            power = tf.reduce_sum(current ** 2)
        print(tape.gradient(power, resistance))
    """,
    ),
    Program(
        "guarded_power",
        "where-nan-branch",
        """
        import tensorflow as tf

        s = tf.Variable([-1.0, 0.0, 4.0])


        def utility(wealth):
            root = wealth ** 0.5  # cause
            return tf.where(wealth > 0.0, root, wealth)


        with tf.GradientTape() as tape:
            u = tf.reduce_sum(utility(s))
        print(tape.gradient(u, s).numpy())
    """,
    ),
    Program(
        "guarded_softplus",
        "where-nan-branch",
        """
        import tensorflow as tf

        z = tf.Variable([1.0, 500.0])


        def softplus(z):
            return tf.where(z > 30.0, z, tf.math.log1p(tf.exp(z)))  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(softplus(z))
        print(tape.gradient(loss, z))
    """,
    ),
    Program(
        "nested_guards",
        "where-nan-branch",
        """
        import numpy as np
        import tensorflow as tf

        r = tf.Variable(np.array([0.0, 0.5, 3.0], dtype="float32"))
        with tf.GradientTape() as tape:
            attraction = 1.0 / r ** 2  # cause
            near = tf.where(r < 1.0, r, attraction)
            potential = tf.where(r > 2.0, attraction, near)
            total = tf.reduce_sum(potential)
        print(tape.gradient(total, r))
    """,
    ),
    Program(
        "sinc_at_zero",
        "where-nan-branch",
        """
        import tensorflow as tf

        t = tf.Variable([-1.0, 0.0, 1.0])
        with tf.GradientTape() as tape:
            ratio = tf.sin(t) / t  # cause
            kernel = tf.where(tf.abs(t) < 1e-6, tf.ones_like(t), ratio)
            loss = tf.reduce_sum(kernel * kernel)
        print(tape.gradient(loss, t).numpy())
    """,
    ),
    # -- fully-masked-softmax --
    Program(
        "attention_over_padding_only",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        tokens = tf.constant(rng.normal(size=(2, 4, 3)).astype("float32"))
        padding = tf.constant([[False, False, True, True], [True, True, True, True]])
        query = tf.Variable(rng.normal(size=(3,)).astype("float32"))
        with tf.GradientTape() as tape:
            scores = tf.linalg.matvec(tokens, query)
            scores = tf.where(padding, -np.inf, scores)  # cause
            weights = tf.nn.softmax(scores, axis=-1)  # cause
            pooled = tf.reduce_sum(weights[..., None] * tokens, axis=1)
            loss = tf.reduce_mean(pooled ** 2)
        print(tape.gradient(loss, query))
    """,
    ),
    Program(
        "attention_mask_of_logs",
        "fully-masked-softmax",
        """
        import tensorflow as tf

        scores = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
        mask = tf.constant([[1.0, 0.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            masked = scores + tf.math.log(mask)  # cause
            p = tf.nn.softmax(masked)  # cause
            loss = tf.reduce_sum(p[:, 0])
        print(tape.gradient(loss, scores))
    """,
    ),
    Program(
        "stable_softmax_by_hand_of_a_masked_row",
        "fully-masked-softmax",
        """
        import tensorflow as tf

        logits = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        allowed = tf.constant([[True, False], [False, False]])
        with tf.GradientTape() as tape:
            masked = tf.where(allowed, logits, float("-inf"))  # cause
            shifted = masked - tf.reduce_max(masked, axis=1, keepdims=True)  # cause
            e = tf.exp(shifted)
            p = e / tf.reduce_sum(e, axis=1, keepdims=True)
            loss = tf.reduce_sum(p ** 2)
        print(tape.gradient(loss, logits))
    """,
    ),
    # -- half-precision-range --
    Program(
        "mixed_precision_energy",
        "half-precision-range",
        """
        import tensorflow as tf

        speed = tf.Variable([120.0, 300.0, 15.0])
        with tf.GradientTape() as tape:
            half = tf.cast(speed, tf.float16)
            energy = half * half  # cause
            loss = tf.cast(tf.reduce_mean(energy), tf.float32) * 1e-4
        print(tape.gradient(loss, speed))
    """,
    ),
    Program(
        "cast_beyond_float16",
        "half-precision-range",
        """
        import tensorflow as tf

        w = tf.Variable([2.0, 1.0])
        with tf.GradientTape() as tape:
            revenue = w * tf.constant([60000.0, 10.0])
            compact = tf.cast(revenue, tf.float16)  # cause
            loss = tf.reduce_sum(tf.cast(compact, tf.float32) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "float16_exponential",
        "half-precision-range",
        """
        import tensorflow as tf

        x = tf.Variable(tf.constant([12.0, 1.0], tf.float16))
        with tf.GradientTape() as tape:
            y = tf.exp(x)  # cause
            p = y / tf.reduce_sum(y)
            loss = tf.reduce_sum(p * p)
        print(tape.gradient(loss, x))
    """,
    ),
    Program(
        "float16_probability_underflows",
        "half-precision-range",
        """
        import tensorflow as tf

        logits = tf.Variable(tf.constant([[20.0, 0.0]], tf.float16))
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(logits)  # cause
            loss = -tf.math.log(p[0, 1])  # cause
        print(tape.gradient(loss, logits).numpy())
    """,
    ),
    # -- singular-matrix --
    Program(
        "duplicated_inducing_point",
        "singular-matrix",
        """
        import tensorflow as tf

        z = tf.constant([[1.0], [1.0], [0.0]])
        amplitude = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            d = z - tf.transpose(z)
            k = amplitude * tf.exp(-d ** 2)
            root = tf.linalg.cholesky(k)  # cause
            loss = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(root)))
        print(tape.gradient(loss, amplitude))
    """,
    ),
    Program(
        "covariance_that_is_no_covariance",
        "singular-matrix",
        """
        import tensorflow as tf

        rho = tf.Variable(1.2)
        with tf.GradientTape() as tape:
            one = tf.ones([])
            cov = tf.stack([tf.stack([one, rho]), tf.stack([rho, one])])
            scale = tf.linalg.cholesky(cov)  # cause
            sample = tf.linalg.matvec(scale, [0.3, -0.4])
            loss = tf.reduce_sum(sample ** 2)
        print(tape.gradient(loss, rho))
    """,
    ),
    Program(
        "log_determinant_of_a_singular_matrix",
        "singular-matrix",
        """
        import tensorflow as tf

        a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
        with tf.GradientTape() as tape:
            volume = tf.linalg.logdet(a)  # cause
        print(tape.gradient(volume, a))
    """,
    ),
    # -- nan-in-data --
    Program(
        "missing_reading_in_labels",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([[1.0], [2.0], [3.0]], dtype="float32")
        y = np.array([[2.0], [np.nan], [6.0]], dtype="float32")
        w = tf.Variable([[0.5]])
        with tf.GradientTape() as tape:
            prediction = tf.matmul(x, w)
            loss = tf.reduce_mean(tf.square(prediction - y))  # cause
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "gap_in_a_series",
        "nan-in-data",
        """
        import tensorflow as tf

        series = tf.constant([0.1, 0.3, float("nan"), 0.2, 0.4])
        phi = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            error = series[1:] - phi * series[:-1]  # cause
            loss = tf.reduce_mean(error ** 2)
        print(tape.gradient(loss, phi).numpy())
    """,
    ),
    Program(
        "batches_with_one_bad_row",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        table = rng.normal(size=(12, 3)).astype("float32")
        table[9, 1] = np.nan
        target = rng.normal(size=(12,)).astype("float32")
        w = tf.Variable([0.1, 0.1, 0.1])
        for start in range(0, 12, 4):
            xb = tf.constant(table[start : start + 4])
            yb = tf.constant(target[start : start + 4])
            with tf.GradientTape() as tape:
                p = tf.linalg.matvec(xb, w)  # cause
                loss = tf.reduce_mean((p - yb) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "ratio_computed_in_numpy",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        clicks, views = np.array([3.0, 0.0]), np.array([10.0, 0.0])
        with np.errstate(all="ignore"):
            rate = (clicks / views).astype("float32")
        b = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.sigmoid(b) - rate) ** 2)  # cause
        print(tape.gradient(loss, b))
    """,
    ),
    # -- loss-scales-with-batch --
    Program(
        "summed_squared_error",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        x = rng.normal(size=(400, 2)).astype("float32")
        y = x @ np.array([1.0, -2.0], dtype="float32")
        w, b = tf.Variable(tf.zeros(2)), tf.Variable(0.0)


        def loss_fn(prediction, target):
            return tf.reduce_sum(tf.square(prediction - target))  # cause


        def train_step(rate):
            with tf.GradientTape() as tape:
                loss = loss_fn(tf.linalg.matvec(x, w) + b, y)
            for variable, g in zip([w, b], tape.gradient(loss, [w, b])):
                variable.assign_sub(rate * g)
            return loss


        for epoch in range(80):
            loss = train_step(0.01)
        print(loss)
    """,
    ),
    Program(
        "l2_loss_is_a_sum",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        x = tf.constant(rng.normal(size=(600, 4)).astype("float32"))
        y = tf.reduce_sum(x, axis=1, keepdims=True)
        w = tf.Variable(tf.zeros([4, 1]))
        for step in range(100):
            with tf.GradientTape() as tape:
                loss = tf.nn.l2_loss(tf.matmul(x, w) - y)  # cause
            w.assign_sub(0.02 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "loss_added_up_sample_by_sample",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        x = rng.normal(size=(60, 2)).astype("float32")
        y = (x @ np.array([1.0, 1.0])).astype("float32")
        w = tf.Variable([0.0, 0.0])
        for epoch in range(60):
            with tf.GradientTape() as tape:
                loss = 0.0
                for xi, yi in zip(x, y):
                    loss += (tf.tensordot(w, xi, 1) - yi) ** 2  # cause
            w.assign_sub(0.2 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "correlation_with_a_constant",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        forecast = tf.Variable([2.0, 2.0, 2.0])
        observed = tf.constant([1.0, 2.0, 4.0])


        def correlation(a, b):
            a = a - tf.reduce_mean(a)
            b = b - tf.reduce_mean(b)
            covariance = tf.reduce_mean(a * b)
            return covariance / (tf.math.reduce_std(a) * tf.math.reduce_std(b))  # cause


        with tf.GradientTape() as tape:
            loss = 1.0 - correlation(forecast, observed)
        print(tape.gradient(loss, forecast))
    """,
    ),
    Program(
        "dice_of_empty_masks",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        logits = tf.Variable([-200.0, -300.0, -150.0])
        truth = tf.constant([0.0, 0.0, 0.0])
        with tf.GradientTape() as tape:
            p = tf.sigmoid(logits)
            overlap = 2.0 * tf.reduce_sum(p * truth)
            dice = overlap / (tf.reduce_sum(p) + tf.reduce_sum(truth))  # cause
            loss = 1.0 - dice
        print(tape.gradient(loss, logits))
    """,
    ),
    Program(
        "log_of_a_dead_unit",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        counts = tf.constant([[2.0], [0.0], [1.0]])
        x = np.array([[1.0], [-1.0], [2.0]], dtype="float32")
        w = tf.Variable([[0.5]])
        with tf.GradientTape() as tape:
            rate = tf.nn.relu(x @ w)
            log_rate = tf.math.log(rate)  # cause
            nll = tf.reduce_mean(rate - counts * log_rate)
        print(tape.gradient(nll, w))
    """,
    ),
    Program(
        "replaced_after_the_fact",
        "where-nan-branch",
        """
        import tensorflow as tf

        a = tf.Variable([1.0, 0.0, 2.0])
        b = tf.Variable([2.0, 0.0, 4.0])
        with tf.GradientTape() as tape:
            ratio = a / b  # cause
            ratio = tf.where(tf.math.is_nan(ratio), tf.zeros_like(ratio), ratio)
            loss = tf.reduce_sum(ratio**2)
        print(tape.gradient(loss, [a, b]))
    """,
    ),
    Program(
        "chosen_by_boolean_mask",
        "where-nan-branch",
        """
        import tensorflow as tf

        x = tf.Variable([0.5, 0.0, 3.0])
        with tf.GradientTape() as tape:
            logs = tf.math.log(x)  # cause
            kept = tf.boolean_mask(logs, x > 0.0)
            loss = tf.reduce_mean(kept)
        print(tape.gradient(loss, x))
    """,
    ),
    Program(
        "additive_mask_from_numpy",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        lengths = [3, 0]
        mask = np.zeros((2, 1, 3), dtype="float32")
        for i, n in enumerate(lengths):
            mask[i, :, n:] = -np.inf
        q = tf.Variable(np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            scores = tf.matmul(q, q, transpose_b=True) / 2.0
            weights = tf.nn.softmax(scores + mask)  # cause
            loss = tf.reduce_mean(tf.matmul(weights, q) ** 2)
        print(tape.gradient(loss, q))
    """,
    ),
    Program(
        "loss_scaled_beyond_float16",
        "half-precision-range",
        """
        import tensorflow as tf

        w = tf.Variable([0.5, 1.5])
        x = tf.constant([[10.0, 20.0], [30.0, 10.0]], tf.float16)
        with tf.GradientTape() as tape:
            y = tf.linalg.matvec(x, tf.cast(w, tf.float16))
            loss = tf.reduce_mean(y * y)
            scaled = loss * 1024.0  # cause
        print(tape.gradient(scaled, w))
    """,
    ),
    Program(
        "labels_stored_in_float16",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        income = np.array([20000.0, 90000.0])
        y = tf.constant(income, dtype=tf.float16)  # cause
        w = tf.Variable(tf.constant([1.0, 1.0], tf.float16))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(w * 100.0 - y))
        print(loss, tape.gradient(loss, w))
    """,
    ),
    Program(
        "distance_to_the_nearest_point",
        "infinite-slope",
        """
        import numpy as np
        import tensorflow as tf

        grid = tf.constant([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        p = tf.Variable([1.0, 0.0])
        with tf.GradientTape() as tape:
            d = tf.math.reduce_euclidean_norm(grid - p, axis=1)  # cause
            loss = tf.reduce_mean(d)
        print(tape.gradient(loss, p))
    """,
    ),
    Program(
        "reward_shaped_by_a_root",
        "infinite-slope",
        """
        import tensorflow as tf

        error = tf.Variable([0.0, 0.2, -0.4])
        with tf.GradientTape() as tape:
            shaped = tf.abs(error) ** 0.5  # cause
            loss = tf.reduce_sum(shaped)
        print(tape.gradient(loss, error))
    """,
    ),
    Program(
        "normal_equations",
        "singular-matrix",
        """
        import tensorflow as tf

        x = tf.constant([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
        y = tf.Variable([[1.0], [2.0], [3.0]])
        with tf.GradientTape() as tape:
            gram = tf.matmul(x, x, transpose_a=True)
            root = tf.linalg.cholesky(gram - 0.5 * tf.eye(2))  # cause
            beta = tf.linalg.cholesky_solve(root, tf.matmul(x, y, transpose_a=True))
            loss = tf.reduce_sum(beta**2)
        print(tape.gradient(loss, y))
    """,
    ),
    Program(
        "deep_network_summed_loss",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        x = rng.normal(size=(256, 4)).astype("float32")
        y = np.sum(x, axis=1, keepdims=True)
        w1 = tf.Variable(rng.normal(0, 0.5, size=(4, 8)).astype("float32"))
        w2 = tf.Variable(rng.normal(0, 0.5, size=(8, 1)).astype("float32"))
        for step in range(40):
            with tf.GradientTape() as tape:
                hidden = tf.nn.leaky_relu(tf.matmul(x, w1))
                error = tf.matmul(hidden, w2) - y
                loss = tf.reduce_sum(tf.square(error))  # cause
            grads = tape.gradient(loss, [w1, w2])
            for variable, grad in zip([w1, w2], grads):
                variable.assign_sub(0.01 * grad)
        print(loss.numpy())
    """,
    ),
]
