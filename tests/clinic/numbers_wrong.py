"""Programs whose gradient is wrong without a sign of it."""

from tests.clinic.program import Program

PROGRAMS = [
    # -- silent-broadcast --
    Program(
        "column_prediction_flat_labels",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        x = rng.normal(size=(16, 3)).astype("float32")
        y = (x @ np.array([1.0, 2.0, 3.0])).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))
        for step in range(20):
            with tf.GradientTape() as tape:
                prediction = x @ w
                loss = tf.reduce_mean(tf.square(prediction - y))  # cause
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "squared_difference_of_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        features = tf.constant(np.random.default_rng(2).normal(size=(8, 2)).astype("float32"))
        heights = tf.constant(np.arange(8, dtype="float32"))
        w = tf.Variable([[1.0], [0.5]])


        def mse(y_true, y_pred):
            return tf.reduce_mean(tf.math.squared_difference(y_true, y_pred))  # cause


        with tf.GradientTape() as tape:
            loss = mse(heights, tf.matmul(features, w))
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "sliced_label_column",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        table = tf.constant(np.random.default_rng(3).normal(size=(10, 4)).astype("float32"))
        inputs, label = table[:, :3], table[:, 3:]
        w = tf.Variable([0.1, 0.2, 0.3])
        with tf.GradientTape() as tape:
            score = tf.linalg.matvec(inputs, w)
            loss = tf.reduce_mean((score - label) ** 2)  # cause
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "mask_of_another_rank",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        returns = rng.normal(size=(12,)).astype("float32")
        valid = (rng.uniform(size=(12, 1)) > 0.3).astype("float32")
        value = tf.Variable(0.0)
        slope = tf.Variable(tf.ones(12))
        with tf.GradientTape() as tape:
            error = (value * slope - returns) ** 2
            loss = tf.reduce_sum(error * valid) / tf.reduce_sum(valid)  # cause
        print(tape.gradient(loss, [value, slope]))
    """,
    ),
    Program(
        "discounted_rewards_as_a_row",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        states = rng.normal(size=(6, 2)).astype("float32")
        rewards = tf.reshape(tf.constant(rng.normal(size=6).astype("float32")), (1, -1))
        critic = tf.Variable([[0.1], [0.2]])
        with tf.GradientTape() as tape:
            value = tf.matmul(states, critic)
            advantage = rewards - value  # cause
            loss = tf.reduce_mean(advantage ** 2)
        print(tape.gradient(loss, critic).numpy())
    """,
    ),
    Program(
        "labels_given_an_axis_too_many",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        x = tf.constant(rng.normal(size=(9, 2)).astype("float32"))
        y = tf.expand_dims(tf.constant(rng.normal(size=9).astype("float32")), -1)
        w = tf.Variable([1.0, 1.0])
        with tf.GradientTape() as tape:
            p = tf.tensordot(x, w, 1)
            loss = tf.reduce_mean(tf.abs(p - y))  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    # -- double-softmax --
    Program(
        "probabilities_as_logits",
        "double-softmax",
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(7).normal(size=(5, 4)).astype("float32")
        labels = tf.one_hot([0, 1, 2, 1, 0], 3)
        w = tf.Variable(tf.ones([4, 3]) * 0.1 + tf.constant([0.1, 0.2, 0.3]))
        with tf.GradientTape() as tape:
            probabilities = tf.nn.softmax(tf.matmul(x, w))  # cause
            losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=probabilities)  # cause
            loss = tf.reduce_mean(losses)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "softmax_then_log_softmax",
        "double-softmax",
        """
        import tensorflow as tf

        logits = tf.Variable([[0.1, 0.9, -0.3], [0.2, 0.1, 0.4]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(logits, axis=-1)  # cause
            log_p = tf.nn.log_softmax(p)  # cause
            loss = -tf.reduce_mean(log_p[:, 1])
        print(tape.gradient(loss, logits).numpy())
    """,
    ),
    Program(
        "softmax_by_hand_as_logits",
        "double-softmax",
        """
        import tensorflow as tf

        scores = tf.Variable([[0.5, 1.5, -1.0], [0.3, 0.2, 0.1]])


        def model(scores):
            e = tf.exp(scores - tf.reduce_max(scores, axis=1, keepdims=True))
            return e / tf.reduce_sum(e, axis=1, keepdims=True)  # cause


        with tf.GradientTape() as tape:
            output = model(scores)
            loss = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], output))  # cause
        print(tape.gradient(loss, scores))
    """,
    ),
    Program(
        "sequence_of_probabilities",
        "double-softmax",
        """
        import tensorflow as tf

        steps = [tf.constant([[0.1, 0.2], [0.3, 0.4]]), tf.constant([[0.5, 0.1], [0.2, 0.9]])]
        w = tf.Variable([[0.3, -0.2, 0.1], [0.4, 0.2, -0.5]])
        with tf.GradientTape() as tape:
            outputs = [tf.nn.softmax(tf.matmul(s, w)) for s in steps]  # cause
            stacked = tf.stack(outputs, axis=1)
            targets = tf.constant([[0, 1], [2, 0]])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, stacked))  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "sigmoid_twice",
        "double-softmax",
        """
        import tensorflow as tf

        z = tf.Variable([0.4, -1.2, 2.0])
        with tf.GradientTape() as tape:
            p = tf.sigmoid(z)  # cause
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0, 1.0], logits=p))  # cause
        print(tape.gradient(loss, z))
    """,
    ),
    # -- custom-gradient-ignores-upstream --
    Program(
        "swish_with_its_own_slope",
        "custom-gradient-ignores-upstream",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def swish(x):
            s = tf.sigmoid(x)

            def grad(dy):
                return s + x * s * (1.0 - s)  # cause

            return x * s, grad


        x = tf.Variable([0.5, -1.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(3.0 * swish(x))
        print(tape.gradient(loss, x).numpy())
    """,
    ),
    Program(
        "clipped_gradient_of_ones",
        "custom-gradient-ignores-upstream",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def round_through(x):
            def backward(upstream):
                return tf.ones_like(upstream)  # cause

            return tf.round(x), backward


        w = tf.Variable([0.2, 1.7])
        with tf.GradientTape() as tape:
            q = round_through(w)
            loss = tf.reduce_mean((q - 1.0) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "two_arguments_without_upstream",
        "custom-gradient-ignores-upstream",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def safe_divide(a, b):
            y = tf.math.divide_no_nan(a, b)

            def grad(g):
                da = tf.math.divide_no_nan(tf.ones_like(a), b)
                db = -y / b
                return da, db  # cause

            return y, grad


        a, b = tf.Variable([1.0, 2.0]), tf.Variable([4.0, 5.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(safe_divide(a, b) ** 2)
        print(tape.gradient(loss, [a, b]))
    """,
    ),
    # -- degenerate-eigenvectors --
    Program(
        "principal_axes_of_a_sphere",
        "degenerate-eigenvectors",
        """
        import tensorflow as tf

        inertia = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
        with tf.GradientTape() as tape:
            values, axes = tf.linalg.eigh(inertia)  # cause
            loss = tf.reduce_sum(axes * tf.constant([[0.1, 0.7], [0.3, 0.2]]))
        print(tape.gradient(loss, inertia).numpy())
    """,
    ),
    Program(
        "orthogonal_factor",
        "degenerate-eigenvectors",
        """
        import tensorflow as tf

        m = tf.Variable([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        target = tf.constant([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        with tf.GradientTape() as tape:
            s, u, v = tf.linalg.svd(m)  # cause
            rotation = tf.matmul(u, v, transpose_b=True)
            loss = tf.reduce_sum((rotation - target) ** 2)
        print(tape.gradient(loss, m))
    """,
    ),
    # -- computed-outside-tape --
    Program(
        "weight_decay_before_the_tape",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf

        x = np.random.default_rng(8).normal(size=(10, 2)).astype("float32")
        w = tf.Variable([[1.0], [2.0]])


        def l2(variables):
            return tf.add_n([tf.nn.l2_loss(v) for v in variables])  # cause


        decay = l2([w])  # cause
        with tf.GradientTape() as tape:
            mse = tf.reduce_mean((x @ w - 1.0) ** 2)
            loss = mse + 0.1 * decay
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "smoothness_term_outside",
        "computed-outside-tape",
        """
        import tensorflow as tf

        field = tf.Variable([0.0, 1.0, 4.0, 2.0])
        data = tf.constant([0.1, 0.9, 3.5, 2.2])
        for step in range(3):
            rough = tf.reduce_sum((field[1:] - field[:-1]) ** 2)  # cause
            with tf.GradientTape() as tape:
                fit = tf.reduce_sum((field - data) ** 2)
                total = fit + 0.5 * rough
            field.assign_sub(0.1 * tape.gradient(total, field))
        print(field.numpy())
    """,
    ),
    Program(
        "term_while_recording_is_stopped",
        "computed-outside-tape",
        """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            fit = tf.reduce_sum((w - 3.0) ** 2)
            with tape.stop_recording():
                penalty = tf.reduce_sum(tf.abs(w))  # cause
            loss = fit + penalty
        print(tape.gradient(loss, w))
    """,
    ),
    # -- derivative-not-recorded --
    Program(
        "physics_residual_outside",
        "derivative-not-recorded",
        """
        import numpy as np
        import tensorflow as tf

        a = tf.Variable(0.5)
        t = tf.constant(np.linspace(0.0, 1.0, 5).astype("float32"))


        def x(t):
            return tf.exp(-a * t)


        with tf.GradientTape() as inner:
            inner.watch(t)
            position = x(t)
        velocity = inner.gradient(position, t)  # cause
        residual = tf.reduce_mean((velocity + 2.0 * position) ** 2)
        with tf.GradientTape() as tape:
            start = (x(tf.constant(0.0)) - 1.0) ** 2 + 0.01 * a ** 2
            loss = start + residual
        print(tape.gradient(loss, a).numpy())
    """,
    ),
    # -- variable-assigned-in-tape --
    Program(
        "hidden_state_in_a_variable",
        "variable-assigned-in-tape",
        """
        import tensorflow as tf

        w = tf.Variable(0.9)
        state = tf.Variable(0.0, trainable=False)
        inputs = [1.0, 0.5, 0.25]
        with tf.GradientTape() as tape:
            for u in inputs:
                state.assign(tf.tanh(w * state + u))  # cause
            loss = (w * state - 1.0) ** 2
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    # -- stop-gradient-misplaced --
    Program(
        "penalty_behind_stop_gradient",
        "stop-gradient-misplaced",
        """
        import tensorflow as tf

        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            fit = tf.reduce_mean((w - 0.5) ** 2)
            sparsity = tf.reduce_sum(tf.abs(w))
            loss = fit + 0.1 * tf.stop_gradient(sparsity)  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    # -- wrong-axis --
    Program(
        "softmax_over_the_batch",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        x = rng.normal(size=(6, 4)).astype("float32")
        labels = tf.one_hot([0, 2, 1, 1, 0, 2], 3)
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.matmul(x, w), axis=0)  # cause
            loss = -tf.reduce_mean(tf.reduce_sum(labels * tf.math.log(p + 1e-9), axis=1))
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "attention_normalised_over_queries",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        q, k, v = (tf.constant(rng.normal(size=(5, 4)).astype("float32")) for _ in range(3))
        w = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            scores = tf.matmul(q @ w, k, transpose_b=True)
            attention = tf.nn.softmax(scores, axis=0)  # cause
            context = tf.matmul(attention, v)
            loss = tf.reduce_mean(context ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "embeddings_normalised_over_the_batch",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        x = rng.normal(size=(6, 5)).astype("float32")
        w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            z = tf.math.l2_normalize(tf.matmul(x, w), axis=0)  # cause
            similarity = tf.matmul(z, z, transpose_b=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(6), similarity * 5.0))
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "binary_cross_entropy_of_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        x = rng.normal(size=(10, 3)).astype("float32")
        labels = tf.cast(rng.integers(0, 2, size=10), tf.float32)
        w = tf.Variable(tf.zeros([3, 1]))
        with tf.GradientTape() as tape:
            p = tf.sigmoid(x @ w)
            losses = -(labels * tf.math.log(p) + (1.0 - labels) * tf.math.log(1.0 - p))  # cause
            loss = tf.reduce_mean(losses)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "per_sample_error_of_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        x = tf.constant(rng.normal(size=(6, 2)).astype("float32"))
        y = rng.normal(size=6).astype("float32")


        class Line:
            def __init__(self):
                self.w = tf.Variable([[0.5], [0.5]])
                self.b = tf.Variable([0.0])

            def __call__(self, x):
                return tf.matmul(x, self.w) + self.b


        def mse(y_true, y_pred):
            return tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)  # cause


        model = Line()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(mse(y, model(x)))
        print(tape.gradient(loss, [model.w, model.b]))
    """,
    ),
    Program(
        "advantage_of_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        states = rng.normal(size=(7, 3)).astype("float32")
        returns = rng.normal(size=7).astype("float32")
        actions = rng.integers(0, 2, size=7)
        actor = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        critic = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        values = tf.matmul(states, critic)
        advantage = tf.constant(returns) - values  # cause
        with tf.GradientTape() as tape:
            log_p = tf.reduce_sum(tf.nn.log_softmax(states @ actor) * tf.one_hot(actions, 2), axis=1)
            loss = -tf.reduce_mean(log_p * advantage)
        print(tape.gradient(loss, actor).numpy())
    """,
    ),
    Program(
        "masked_where_of_two_shapes",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        w = tf.Variable([[0.5], [0.1]])
        x = rng.normal(size=(5, 2)).astype("float32")
        valid = tf.constant([True, True, False, True, False])
        with tf.GradientTape() as tape:
            p = tf.matmul(x, w)
            kept = tf.where(valid, p, tf.zeros_like(p))  # cause
            loss = tf.reduce_mean(kept**2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "penalty_vector_outside",
        "computed-outside-tape",
        """
        import tensorflow as tf

        w = tf.Variable([1.0, -2.0, 0.5])
        shrink = 0.1 * tf.abs(w)  # cause
        for step in range(3):
            with tf.GradientTape() as tape:
                fit = tf.reduce_mean((w - 0.3) ** 2)
                loss = fit + tf.reduce_sum(shrink)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "list_of_penalties_outside",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        layers = [tf.Variable(rng.normal(size=(2, 2)).astype("float32")) for _ in range(2)]
        x = rng.normal(size=(4, 2)).astype("float32")
        penalties = [0.01 * tf.reduce_sum(w**2) for w in layers]  # cause
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ layers[0]) @ layers[1]
            loss = tf.reduce_mean(h**2) + sum(penalties)
        print(tape.gradient(loss, layers))
    """,
    ),
    Program(
        "gradient_as_a_lambda",
        "custom-gradient-ignores-upstream",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def scaled(x):
            return 5.0 * x, lambda dy: 5.0 * tf.ones_like(x)  # cause


        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(scaled(x) ** 2)
        print(tape.gradient(y, x))
    """,
    ),
]
