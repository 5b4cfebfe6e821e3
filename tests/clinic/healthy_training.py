"""Training loops in which nothing is wrong, though they look like ones in which something is."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "safe_norm",
        None,
        """
        import numpy as np
        import tensorflow as tf


        def safe_norm(v):
            length = tf.norm(v, axis=-1)
            return tf.where(length > 0.0, length, tf.zeros_like(length))


        class Springs:
            def __init__(self, n, rng):
                self.x = tf.Variable(rng.normal(size=(n, 2)).astype("float32"))
                self.rest = 1.0

            def energy(self):
                d = self.x[:, None, :] - self.x[None, :, :]
                r = safe_norm(d)
                stretched = tf.where(r > 0.0, (r - self.rest) ** 2, 0.0)
                return 0.25 * tf.reduce_sum(stretched)


        springs = Springs(4, np.random.default_rng(1))
        for step in range(2):
            with tf.GradientTape() as tape:
                e = springs.energy()
            force = tape.gradient(e, springs.x)
        print("RESULT:", force.numpy())
    """,
    ),
    Program(
        "lazy_built_function",
        None,
        """
        import numpy as np
        import tensorflow as tf


        class Dense(tf.Module):
            def __init__(self, units):
                super().__init__()
                self.units = units
                self.built = False
                self.calls = 0

            @tf.function
            def __call__(self, x):
                if not self.built:
                    self.w = tf.Variable(tf.ones([x.shape[-1], self.units]) * 0.1)
                    self.built = True
                return tf.nn.tanh(x @ self.w)


        layer = Dense(3)
        rng = np.random.default_rng(0)
        for i in range(4):
            x = tf.constant(rng.normal(size=(5, 2)).astype("float32"))
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(layer(x) ** 2)
            g = tape.gradient(loss, layer.trainable_variables)
            layer.w.assign_sub(0.1 * g[0])
        print("RESULT:", g[0].numpy())
    """,
    ),
    Program(
        "function_loop_names",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([[0.5, -0.2], [0.3, 0.8]])
        history = []


        @tf.function
        def unrolled(x, steps):
            states = [x]
            for i in range(steps):
                states.append(tf.tanh(states[-1] @ w))
            return tf.add_n([s * (i + 1.0) for i, s in enumerate(states)])


        @tf.function(reduce_retracing=True)
        def train_step(x, lr):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(unrolled(x, 3) ** 2)
            g = tape.gradient(loss, w)
            w.assign_sub(lr * g)
            return loss


        x = tf.ones([2, 2])
        for i in range(5):
            lr = 0.1 * 0.9 ** i
            loss = train_step(x, tf.constant(lr))
            history.append(float(loss))
        print("RESULT:", history[-1])
    """,
    ),
    Program(
        "fomaml",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(21)
        meta = [tf.Variable(rng.normal(0, 0.3, size=s).astype("float32")) for s in [(1, 6), (6, 1)]]


        def predict(params, x):
            return tf.tanh(x @ params[0]) @ params[1]


        def sine_task():
            phase = rng.uniform(0, 3)
            x = rng.uniform(-3, 3, size=(20, 1)).astype("float32")
            return x, np.sin(x + phase).astype("float32")


        for it in range(3):
            x, y = sine_task()
            fast = [tf.identity(v) for v in meta]
            for _ in range(2):
                with tf.GradientTape() as inner:
                    inner.watch(fast)
                    loss = tf.reduce_mean((predict(fast, x[:10]) - y[:10]) ** 2)
                fast = [f - 0.05 * g for f, g in zip(fast, inner.gradient(loss, fast))]
            with tf.GradientTape() as outer:
                outer.watch(fast)
                query = tf.reduce_mean((predict(fast, x[10:]) - y[10:]) ** 2)
            for v, g in zip(meta, outer.gradient(query, fast)):
                v.assign_sub(0.01 * g)
        print("RESULT:", float(query))
    """,
    ),
    Program(
        "distilling_a_teacher",
        None,
        """
        import tensorflow as tf


        def make(sizes, seed):
            return [tf.Variable(tf.random.stateless_normal([n, m], [seed, i]) * 0.4) for i, (n, m) in enumerate(zip(sizes, sizes[1:]))]


        def forward(params, x):
            for w in params[:-1]:
                x = tf.nn.relu(x @ w + 0.1)
            return x @ params[-1]


        teacher, student = make([4, 16, 3], 1), make([4, 6, 3], 2)
        x = tf.random.stateless_normal([12, 4], [3, 3])
        soft = tf.nn.softmax(forward(teacher, x) / 2.0)
        for step in range(3):
            with tf.GradientTape() as tape:
                logits = forward(student, x)
                kd = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits / 2.0))
                hints = tf.reduce_mean(tf.stop_gradient(forward(teacher, x)) ** 2)
                loss = kd * 4.0
            for v, g in zip(student, tape.gradient(loss, student)):
                v.assign_sub(0.1 * g)
        print("RESULT:", float(loss))
    """,
    ),
    Program(
        "schedule_argument",
        None,
        """
        import numpy as np
        import tensorflow as tf


        class Annealed:
            def __init__(self):
                self.beta = tf.Variable(0.0, trainable=False)
                self.mu = tf.Variable([0.5, -1.0])
                self.epoch = 0
                self.history = []

            @tf.function
            def loss(self, x):
                print("tracing at epoch", self.epoch)
                return tf.reduce_sum((x - self.mu) ** 2) + self.beta * tf.reduce_sum(self.mu ** 2)

            def fit(self, x, epochs):
                for self.epoch in range(epochs):
                    self.beta.assign(self.epoch / epochs)
                    with tf.GradientTape() as tape:
                        value = self.loss(x)
                    g = tape.gradient(value, self.mu)
                    self.mu.assign_sub(0.1 * g)
                    self.history.append(float(value))
                return g


        print("RESULT:", Annealed().fit(tf.constant([1.0, 2.0]), 4).numpy())
    """,
    ),
    Program(
        "best_weights_copy",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        best = tf.Variable(w)
        x = rng.normal(size=(20, 3)).astype("float32")
        y = x @ np.ones((3, 1), "float32")
        best_loss = float("inf")
        for step in range(5):
            with tf.GradientTape() as tape:
                error = x @ w - y
                loss = tf.reduce_mean(error ** 2) + 0.1 * tf.reduce_sum((w - best) ** 2)
            g = tape.gradient(loss, w)
            if float(loss) < best_loss:
                best_loss = float(loss)
                best.assign(w)
            w.assign_sub(0.1 * g)
        print("RESULT:", g.numpy().ravel())
    """,
    ),
    Program(
        "indexing_by_tensor",
        None,
        """
        import tensorflow as tf

        table = tf.Variable(tf.random.stateless_normal([5, 3], seed=[1, 2]))
        order = tf.argsort([3.0, 1.0, 2.0, 5.0, 4.0])
        with tf.GradientTape() as tape:
            total = 0.0
            for i in tf.range(3):
                total += tf.reduce_sum(table[order[i]] ** 2) + table[i, 0]
        print("RESULT:", tape.gradient(total, table).numpy()[0])
    """,
    ),
    Program(
        "function_counter_variable",
        None,
        """
        import tensorflow as tf

        step = tf.Variable(0, dtype=tf.int64, trainable=False)
        w = tf.Variable(2.0)
        LOG_EVERY = 2
        logged = []


        def learning_rate():
            return 0.1 / (1.0 + tf.cast(step, tf.float32))


        @tf.function
        def train(x):
            with tf.GradientTape() as tape:
                loss = (w * x - 1.0) ** 2
            w.assign_sub(learning_rate() * tape.gradient(loss, w))
            step.assign_add(1)
            return loss


        for i in range(6):
            loss = train(tf.constant(0.5))
            if i % LOG_EVERY == 0:
                logged.append(float(loss))
        print("RESULT:", logged)
    """,
    ),
]
