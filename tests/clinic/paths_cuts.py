"""Programs whose path is cut by an op: not differentiable, discrete, stopped, opaque."""

from tests.clinic.program import Program

PROGRAMS = [
    Program("callback_numpy_function", "python-callback-opaque", """
        import numpy as np
        import tensorflow as tf

        scale = tf.Variable([1.0, 2.0])


        def interpolate(s):
            return np.interp(s, [0.0, 3.0], [0.0, 1.0]).astype("float32")


        with tf.GradientTape() as tape:
            y = tf.numpy_function(interpolate, [scale], tf.float32)  # cause
            loss = tf.reduce_sum(y)
        print(tape.gradient(loss, scale))
    """),
    Program("callback_py_function_class", "python-callback-opaque", """
        import tensorflow as tf

        gain = tf.Variable([0.5, 1.5])


        class Simulator:
            def run(self, g):
                values = g.numpy()  # cause
                return (values ** 2).astype("float32")

            def __call__(self, g):
                return tf.py_function(self.run, [g], tf.float32)  # cause


        simulate = Simulator()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(simulate(gain))
        print(tape.gradient(loss, gain))
    """),
    Program("integer_cast_on_path", "integer-dtype", """
        import tensorflow as tf

        angle = tf.Variable([10.4, 20.7, 33.3])
        table = tf.constant([float(i * i) for i in range(50)])


        def lookup(a):
            bucket = tf.cast(a, tf.int32)  # cause
            return tf.gather(table, bucket)


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(lookup(angle))
        print(tape.gradient(loss, angle))
    """),
    Program("integer_numpy_arange", "integer-dtype", """
        import numpy as np
        import tensorflow as tf

        grid = tf.convert_to_tensor(np.arange(5))  # cause
        with tf.GradientTape() as tape:
            tape.watch(grid)  # cause
            wave = tf.sin(0.3 * tf.cast(grid, tf.float32))  # cause
        print(tape.gradient(wave, grid))
    """),
    Program("integer_quantised_image", "integer-dtype", """
        import tensorflow as tf

        pixels = tf.Variable(tf.fill([4, 4], 100.3))
        with tf.GradientTape() as tape:
            stored = tf.cast(pixels, tf.uint8)  # cause
            shown = tf.cast(stored, tf.float32) / 255.0
            loss = tf.reduce_mean((shown - 0.5) ** 2)
        print(tape.gradient(loss, pixels))
    """),
    Program("integer_scalar_variable", "integer-dtype", """
        import tensorflow as tf


        class Line:
            def __init__(self):
                self.slope = tf.Variable(2)  # cause
                self.offset = tf.Variable(0.5)

            def __call__(self, x):
                return tf.cast(self.slope, tf.float32) * x + self.offset  # cause


        line = Line()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((line(tf.constant([1.0, 2.0])) - 3.0) ** 2)
        print(tape.gradient(loss, [line.slope, line.offset]))
    """),
    Program("integer_source_constant", "integer-dtype", """
        import tensorflow as tf

        x = tf.constant([1, 2, 3])  # cause
        with tf.GradientTape() as tape:
            tape.watch(x)  # cause
            y = tf.reduce_sum(x * x)  # cause
        print(tape.gradient(y, x))
    """),
    Program("nondiff_accuracy_loss", "non-differentiable-op", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        x = rng.normal(size=(12, 4)).astype("float32")
        labels = tf.constant(rng.integers(0, 3, size=12))
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


        def accuracy(logits):
            guess = tf.argmax(logits, axis=1)  # cause
            return tf.reduce_mean(tf.cast(guess == labels, tf.float32))  # cause


        with tf.GradientTape() as tape:
            loss = 1.0 - accuracy(x @ w)
        print(tape.gradient(loss, w))
    """),
    Program("nondiff_floor_division", "non-differentiable-op", """
        import tensorflow as tf

        price = tf.Variable([9.5, 4.2])
        with tf.GradientTape() as tape:
            whole = price // 1.0  # cause
            loss = tf.reduce_sum(whole)
        print(tape.gradient(loss, price))
    """),
    Program("nondiff_logical_all", "non-differentiable-op", """
        import tensorflow as tf

        bounds = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            inside = tf.logical_and(bounds > 0.5, bounds < 1.5)  # cause
            score = tf.reduce_sum(tf.cast(inside, tf.float32))
        print(tape.gradient(score, bounds))
    """),
    Program("nondiff_round", "non-differentiable-op", """
        import tensorflow as tf

        level = tf.Variable([0.2, 1.7, 2.6])
        with tf.GradientTape() as tape:
            steps = tf.round(level * 4.0) / 4.0  # cause
            loss = tf.reduce_sum((steps - 1.0) ** 2)
        print(tape.gradient(loss, level))
    """),
    Program("nondiff_threshold_mask", "non-differentiable-op", """
        import tensorflow as tf

        threshold = tf.Variable(0.4)
        signal = tf.constant([0.1, 0.5, 0.9])
        with tf.GradientTape() as tape:
            mask = tf.where(signal > threshold, 1.0, 0.0)  # cause
            kept = tf.reduce_sum(signal * mask)
        print(tape.gradient(kept, threshold))
    """),
    Program("nondiff_top_k_indices", "non-differentiable-op", """
        import tensorflow as tf

        scores = tf.Variable([0.1, 0.9, 0.4, 0.7])
        gains = tf.constant([1.0, 2.0, 3.0, 4.0])
        with tf.GradientTape() as tape:
            _, best = tf.math.top_k(scores, k=2)  # cause
            reward = tf.reduce_sum(tf.gather(gains, best))
        print(tape.gradient(reward, scores))
    """),
    Program("op_without_gradient_none", "non-differentiable-op", """
        import tensorflow as tf

        x = tf.Variable([3.0, 1.0, 2.0])
        with tf.GradientTape() as tape:
            order = tf.argsort(x)  # cause
            loss = tf.reduce_sum(tf.cast(order, tf.float32))
        print(tape.gradient(loss, x))
    """),
    Program("integer_target", "integer-dtype", """
        import tensorflow as tf

        x = tf.Variable([1.2, 2.7])
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.cast(x, tf.int32))  # cause
        print(tape.gradient(total, x))
    """),
    Program("nondiff_count_nonzero", "non-differentiable-op", """
        import tensorflow as tf

        w = tf.Variable([0.0, 0.5, 0.2])
        with tf.GradientTape() as tape:
            l0 = tf.math.count_nonzero(w, dtype=tf.float32)  # cause
            loss = 0.1 * l0
        print(tape.gradient(loss, w))
    """),
    Program("nondiff_one_hot_argmax", "non-differentiable-op", """
        import tensorflow as tf

        logits = tf.Variable([[0.1, 0.9, 0.3]])
        prices = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            choice = tf.one_hot(tf.argmax(logits, axis=-1), 3)  # cause
            cost = tf.reduce_sum(choice * prices)
        print(tape.gradient(cost, logits))
    """),
    Program("nondiff_searchsorted", "non-differentiable-op", """
        import tensorflow as tf

        edges = tf.constant([0.0, 1.0, 2.0])
        x = tf.Variable([0.3, 1.5])
        with tf.GradientTape() as tape:
            bins = tf.searchsorted(edges, x)  # cause
            loss = tf.reduce_sum(tf.gather(edges, bins))
        print(tape.gradient(loss, x))
    """),
    Program("nondiff_sign_int_round_trip", "non-differentiable-op", """
        import tensorflow as tf

        code = tf.Variable([0.2, 1.7])
        with tf.GradientTape() as tape:
            index = tf.cast(tf.math.floor(code), tf.int32)  # cause
            value = tf.cast(index, tf.float32) * 2.0
            loss = tf.reduce_sum(value)
        print(tape.gradient(loss, code))
    """),
    Program("sampling_gumbel_max", "discrete-sampling", """
        import tensorflow as tf

        tf.random.set_seed(0)
        logits = tf.Variable([[0.1, 0.5, 0.2]])
        values = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            noise = -tf.math.log(-tf.math.log(tf.random.uniform([4, 3])))
            picks = tf.argmax(logits + noise, axis=1)  # cause
            reward = tf.reduce_mean(tf.gather(values, picks))
        print(tape.gradient(reward, logits))
    """),
    Program("sampling_numpy_choice", "discrete-sampling", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        logits = tf.Variable([0.1, 0.2, 0.3])
        payoff = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(logits).numpy().astype("float64")  # cause
            picks = rng.choice(3, size=10, p=p / p.sum())  # cause
            loss = -tf.reduce_mean(tf.gather(payoff, picks))
        print(tape.gradient(loss, logits))
    """),
    Program("stop_helper_normalise", "stop-gradient-misplaced", """
        import tensorflow as tf


        def standardise(x):
            x = tf.stop_gradient(x)  # cause
            return (x - tf.reduce_mean(x)) / (tf.math.reduce_std(x) + 1e-6)


        w = tf.Variable([[0.3], [0.2]])
        x = tf.constant([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(standardise(x @ w) ** 3)
        print(tape.gradient(loss, w))
    """),
    Program("sampling_bernoulli_compare", "discrete-sampling", """
        import tensorflow as tf

        tf.random.set_seed(1)
        logit = tf.Variable([0.3, -0.2, 0.1])
        with tf.GradientTape() as tape:
            p = tf.sigmoid(logit)
            draw = tf.cast(tf.random.uniform([3]) < p, tf.float32)  # cause
            loss = tf.reduce_mean((draw - 1.0) ** 2)
        print(tape.gradient(loss, logit))
    """),
    Program("sampling_poisson", "discrete-sampling", """
        import tensorflow as tf

        tf.random.set_seed(2)
        log_rate = tf.Variable([0.1, 0.5, 1.0])
        with tf.GradientTape() as tape:
            counts = tf.random.poisson([20], tf.exp(log_rate))  # cause
            loss = tf.reduce_mean(counts)
        print(tape.gradient(loss, log_rate))
    """),
    Program("sampling_reinforce_agent", "discrete-sampling", """
        import numpy as np
        import tensorflow as tf


        class Agent:
            def __init__(self, states, actions):
                rng = np.random.default_rng(0)
                self.table = tf.Variable(rng.normal(size=(states, actions)).astype("float32"))

            def act(self, observation):
                logits = tf.matmul(observation, self.table)
                return tf.random.categorical(logits, 1)[:, 0]  # cause


        rewards = tf.constant([0.0, 1.0, 0.5])
        agent = Agent(4, 3)
        observation = tf.eye(4)
        with tf.GradientTape() as tape:
            chosen = agent.act(observation)
            payoff = tf.gather(rewards, chosen)
            loss = -tf.reduce_mean(payoff)
        grads = tape.gradient(loss, agent.table)
        print(grads)
    """),
    Program("stop_in_encoder", "stop-gradient-misplaced", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        enc = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
        dec = tf.Variable(rng.normal(size=(2, 4)).astype("float32"))


        def encode(x):
            return tf.stop_gradient(tf.tanh(x @ enc))  # cause


        x = rng.normal(size=(3, 4)).astype("float32")
        with tf.GradientTape() as tape:
            rebuilt = encode(x) @ dec
            loss = tf.reduce_mean((rebuilt - x) ** 2)
        print(tape.gradient(loss, [enc, dec]))
    """),
    Program("stop_straight_through_wrong", "stop-gradient-misplaced", """
        import tensorflow as tf

        z = tf.Variable([0.3, 0.8])
        with tf.GradientTape() as tape:
            hard = tf.round(z)
            quantised = hard + tf.stop_gradient(z - hard)  # cause
            loss = tf.reduce_sum(quantised ** 2)
        print(tape.gradient(loss, z))
    """),
]  # fmt: skip
