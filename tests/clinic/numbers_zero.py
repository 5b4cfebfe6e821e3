"""Programs whose gradient is zero everywhere, or for one of the sources."""

from tests.clinic.program import Program

PROGRAMS = [
    # -- saturated-region --
    Program(
        "dead_relu_with_an_output_bias",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        x = rng.uniform(size=(20, 3)).astype("float32")
        y = rng.normal(size=(20, 1)).astype("float32")
        w1 = tf.Variable(-np.abs(rng.normal(size=(3, 5))).astype("float32"))
        b1 = tf.Variable(tf.zeros(5))
        w2 = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))
        b2 = tf.Variable(tf.zeros(1))
        variables = [w1, b1, w2, b2]
        for step in range(10):
            with tf.GradientTape() as tape:
                h = tf.nn.relu(x @ w1 + b1)  # cause
                loss = tf.reduce_mean((h @ w2 + b2 - y) ** 2)
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print(loss)
    """,
    ),
    Program(
        "sigmoid_of_raw_pixels",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        pixels = rng.integers(100, 255, size=(6, 10)).astype("float32")
        labels = np.array([[0.0], [1.0], [0.0], [1.0], [0.0], [0.0]], dtype="float32")
        w = tf.Variable(np.abs(rng.normal(size=(10, 1))).astype("float32"))
        with tf.GradientTape() as tape:
            p = tf.sigmoid(tf.matmul(pixels, w))  # cause
            loss = tf.reduce_mean((p - labels) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "saturated_hidden_tanh",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        x = tf.constant([[500.0, 300.0], [400.0, 900.0]])
        w1 = tf.Variable([[1.0, 2.0], [1.0, 0.5]])
        w2 = tf.Variable([[0.5], [-0.5]])
        with tf.GradientTape() as tape:
            hidden = tf.tanh(tf.matmul(x, w1))  # cause
            out = tf.matmul(hidden, w2)
            loss = tf.reduce_mean((out - 1.0) ** 2)
        print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])
    """,
    ),
    Program(
        "clipped_outside_the_range",
        "saturated-region",
        """
        import tensorflow as tf

        angle = tf.Variable([2.5, 3.0])
        with tf.GradientTape() as tape:
            command = tf.clip_by_value(angle, -1.0, 1.0)  # cause
            cost = tf.reduce_sum((command - 0.2) ** 2)
        print(tape.gradient(cost, angle).numpy())
    """,
    ),
    Program(
        "hard_sigmoid_by_hand",
        "saturated-region",
        """
        import tensorflow as tf

        gate = tf.Variable([9.0, 7.0, -8.0])


        def hard_sigmoid(x):
            return tf.maximum(0.0, tf.minimum(1.0, 0.2 * x + 0.5))  # cause


        with tf.GradientTape() as tape:
            opened = hard_sigmoid(gate)
            loss = tf.reduce_sum((opened - 0.5) ** 2)
        print(tape.gradient(loss, gate))
    """,
    ),
    Program(
        "relu_by_comparison",
        "saturated-region",
        """
        import tensorflow as tf

        bias = tf.Variable([-3.0, -2.0])
        x = tf.constant([[0.1, 0.2], [0.3, 0.1]])
        with tf.GradientTape() as tape:
            z = x + bias
            h = z * tf.cast(z > 0.0, tf.float32)  # cause
            loss = tf.reduce_mean((h - 1.0) ** 2)
        print(tape.gradient(loss, bias))
    """,
    ),
    Program(
        "relu_by_where",
        "saturated-region",
        """
        import tensorflow as tf

        bias = tf.Variable([-3.0, -2.0])
        with tf.GradientTape() as tape:
            z = tf.constant([0.1, 0.2]) + bias
            h = tf.where(z > 0.0, z, tf.zeros_like(z))  # cause
            loss = tf.reduce_mean((h - 1.0) ** 2)
        print(tape.gradient(loss, bias))
    """,
    ),
    Program(
        "kernel_too_narrow",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([0.0, 1.0, 2.0], dtype="float32")
        centre = tf.Variable(60.0)
        with tf.GradientTape() as tape:
            bump = tf.exp(-((x - centre) ** 2))  # cause
            loss = tf.reduce_sum((bump - 1.0) ** 2)
        print(tape.gradient(loss, centre).numpy())
    """,
    ),
    Program(
        "last_layer_of_dead_units",
        "saturated-region",
        """
        import tensorflow as tf

        x = tf.constant([[1.0, 2.0], [2.0, 1.0]])
        frozen = tf.constant([[-1.0, -1.0], [-2.0, -0.5]])
        head = tf.Variable([[0.3], [0.2]])
        with tf.GradientTape() as tape:
            features = tf.nn.relu(tf.matmul(x, frozen))  # cause
            loss = tf.reduce_mean((tf.matmul(features, head) - 1.0) ** 2)
        print(tape.gradient(loss, head))
    """,
    ),
    Program(
        "softmax_with_huge_scores",
        "saturated-region",
        """
        import tensorflow as tf

        scores = tf.Variable([[3000.0, -2000.0, 1000.0]])
        values = tf.constant([[1.0], [2.0], [3.0]])
        with tf.GradientTape() as tape:
            attention = tf.nn.softmax(scores)  # cause
            out = tf.matmul(attention, values)
            loss = tf.reduce_sum((out - 2.0) ** 2)
        print(tape.gradient(loss, scores))
    """,
    ),
    # -- softmax-over-one-class --
    Program(
        "softmax_for_a_single_output",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        x = rng.normal(size=(10, 3)).astype("float32")
        churned = rng.integers(0, 2, size=(10, 1)).astype("float32")
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        b = tf.Variable([0.0])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.matmul(x, w) + b)  # cause
            loss = tf.reduce_mean((p - churned) ** 2)
        print([g.numpy() for g in tape.gradient(loss, [w, b])])
    """,
    ),
    Program(
        "cross_entropy_of_one_class",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf

        x = np.ones((4, 2), dtype="float32")
        y = tf.constant([[1.0], [0.0], [1.0], [1.0]])
        w = tf.Variable([[0.2], [0.3]])
        with tf.GradientTape() as tape:
            logits = tf.matmul(x, w)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))  # cause
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    # -- half-precision-range, seen as zero --
    Program(
        "float16_norm",
        "half-precision-range",
        """
        import tensorflow as tf

        force = tf.Variable(tf.constant([200.0, 300.0], tf.float16))
        with tf.GradientTape() as tape:
            squared = tf.reduce_sum(force ** 2)  # cause
            size = tf.sqrt(squared)
        print(tape.gradient(size, force).numpy())
    """,
    ),
    Program(
        "float16_gradient_underflows",
        "half-precision-range",
        """
        import tensorflow as tf

        w = tf.Variable([0.5, 0.25])
        with tf.GradientTape() as tape:
            half = tf.cast(w, tf.float16)
            small = half * 1e-4  # cause
            loss = tf.reduce_mean(small) * 1e-4  # cause
            loss = tf.cast(loss, tf.float32)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    # -- piecewise-linear-second-derivative --
    Program(
        "leaky_network_residual",
        "piecewise-linear-second-derivative",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        w1 = tf.Variable(rng.normal(size=(1, 8)).astype("float32"))
        w2 = tf.Variable(rng.normal(size=(8, 1)).astype("float32"))
        x = tf.constant(np.linspace(0.1, 1.0, 5).reshape(-1, 1).astype("float32"))
        with tf.GradientTape() as outer:
            with tf.GradientTape() as t2:
                t2.watch(x)
                with tf.GradientTape() as t1:
                    t1.watch(x)
                    hidden = tf.nn.leaky_relu(tf.matmul(x, w1), alpha=0.1)  # cause
                    u = tf.matmul(hidden, w2)
                u_x = t1.gradient(u, x)
            u_xx = t2.gradient(u_x, x)
            loss = tf.reduce_mean((u_xx + tf.sin(x)) ** 2)
        print(outer.gradient(loss, [w1, w2], unconnected_gradients="zero"))
    """,
    ),
    Program(
        "curvature_of_an_absolute_value",
        "piecewise-linear-second-derivative",
        """
        import tensorflow as tf

        x = tf.Variable([1.0, -2.0, 3.0])
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = tf.reduce_sum(tf.abs(x) * 3.0)  # cause
            slope = first.gradient(y, x)
        print(second.gradient(slope, x))
    """,
    ),
    Program(
        "curvature_of_a_hinge",
        "piecewise-linear-second-derivative",
        """
        import tensorflow as tf

        strike = 2.0
        spot = tf.Variable([1.5, 2.5, 4.0])
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                payoff = tf.reduce_sum(tf.maximum(spot - strike, 0.0))  # cause
            delta = first.gradient(payoff, spot)
        gamma = second.gradient(delta, spot)
        print(gamma)
    """,
    ),
    # -- non-scalar-target-summed --
    Program(
        "sensitivity_of_scaled_probabilities",
        "non-scalar-target-summed",
        """
        import tensorflow as tf

        w = tf.constant([[0.3, -0.2, 0.5], [0.1, 0.8, -0.4]])
        x = tf.Variable([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            percent = 100.0 * tf.nn.softmax(tf.matmul(x, w))  # cause
        print(tape.gradient(percent, x).numpy())  # cause
    """,
    ),
    Program(
        "shares_of_a_portfolio",
        "non-scalar-target-summed",
        """
        import tensorflow as tf

        holdings = tf.Variable([10.0, 30.0, 60.0])
        with tf.GradientTape() as tape:
            shares = holdings / tf.reduce_sum(holdings)  # cause
        print(tape.gradient(shares, holdings).numpy())  # cause
    """,
    ),
    Program(
        "centred_scores",
        "non-scalar-target-summed",
        """
        import tensorflow as tf

        scores = tf.Variable([1.0, 4.0, 7.0])
        with tf.GradientTape() as tape:
            centred = scores - tf.reduce_mean(scores)  # cause
        effect = tape.gradient(centred, scores)  # cause
        print(effect)
    """,
    ),
    # -- python-callback-opaque --
    Program(
        "interpolation_in_numpy",
        "python-callback-opaque",
        """
        import numpy as np
        import tensorflow as tf

        grid, table = np.linspace(0.0, 1.0, 5), np.array([0.0, 0.2, 0.5, 0.7, 1.0])


        def lookup(x):
            return np.interp(x.numpy(), grid, table).astype("float32")  # cause


        x = tf.Variable([0.1, 0.6])
        with tf.GradientTape() as tape:
            y = tf.py_function(lookup, [x], tf.float32)  # cause
            loss = tf.reduce_sum(y ** 2)
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "callback_beside_a_live_path",
        "python-callback-opaque",
        """
        import numpy as np
        import tensorflow as tf


        def correction(v):
            return np.sin(v.numpy())  # cause


        v = tf.Variable([0.3, 0.7])
        with tf.GradientTape() as tape:
            extra = tf.py_function(correction, [v], tf.float32)  # cause
            loss = tf.reduce_sum(v * 2.0 + extra)
        print(tape.gradient(loss, v).numpy())
    """,
    ),
    # -- non-differentiable-op, seen as zero --
    Program(
        "sign_of_a_trade",
        "non-differentiable-op",
        """
        import tensorflow as tf

        weights = tf.Variable([0.4, -0.2])
        returns = tf.constant([[0.1, 0.2], [0.3, -0.1]])
        with tf.GradientTape() as tape:
            signal = tf.linalg.matvec(returns, weights)
            position = tf.sign(signal)  # cause
            pnl = tf.reduce_sum(position * tf.constant([0.5, 0.2]))
        print(tape.gradient(pnl, weights))
    """,
    ),
    Program(
        "cross_entropy_by_hand_of_one_class",
        "softmax-over-one-class",
        """
        import tensorflow as tf

        x = tf.constant([[0.2, 0.4], [0.6, 0.1]])
        y = tf.constant([[1.0], [1.0]])
        w = tf.Variable([[0.3], [0.1]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.matmul(x, w), axis=1)  # cause
            loss = -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p), axis=1))
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "died_after_one_step",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([[1.0, 2.0], [2.0, 1.5], [0.5, 1.0]], dtype="float32")
        y = np.array([[0.0], [0.0], [0.0]], dtype="float32")
        w = tf.Variable([[3.0], [4.0]])
        b = tf.Variable([1.0])
        for step in range(6):
            with tf.GradientTape() as tape:
                output = tf.nn.relu(tf.matmul(x, w) + b)  # cause
                loss = tf.reduce_mean((output - y - 1.0) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(5.0 * dw)
            b.assign_sub(5.0 * db)
        print(loss.numpy(), dw.numpy())
    """,
    ),
    Program(
        "log_std_beyond_its_clip",
        "saturated-region",
        """
        import tensorflow as tf

        mean, log_std = tf.Variable([0.1, -0.3]), tf.Variable([3.0, 4.0])
        action = tf.constant([0.5, 0.2])
        with tf.GradientTape() as tape:
            clipped = tf.clip_by_value(log_std, -20.0, 2.0)  # cause
            z = (action - mean) / tf.exp(clipped)
            loss = tf.reduce_mean(0.5 * z**2 + clipped)
        print(tape.gradient(loss, [mean, log_std]))
    """,
    ),
    Program(
        "curvature_by_where",
        "piecewise-linear-second-derivative",
        """
        import tensorflow as tf

        x = tf.Variable([-1.0, 0.5, 2.0])


        def leaky(z):
            return tf.where(z > 0.0, z, 0.1 * z)  # cause


        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(leaky(x))
            g = inner.gradient(y, x)
        print(outer.gradient(g, x))
    """,
    ),
    Program(
        "hessian_of_a_relu_network",
        "piecewise-linear-second-derivative",
        """
        import tensorflow as tf

        x = tf.Variable([[0.5, -0.2]])
        w = tf.constant([[0.4, -1.0, 0.3], [0.2, 0.6, 0.9]])
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = tf.reduce_sum(tf.nn.relu(x @ w))  # cause
            g = t1.gradient(y, x)
        print(t2.jacobian(g, x))
    """,
    ),
]
