"""Programs with a None, an exception or an empty list whose cause lies in another function, class or step."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "cached_features_before_tape",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)


        class Encoder:
            def __init__(self):
                self.w = tf.Variable(rng.normal(0, 0.3, (6, 4)).astype("float32"), name="enc_w")
                self.cache = {}

            def __call__(self, key, x):
                if key not in self.cache:
                    self.cache[key] = tf.nn.tanh(x @ self.w)  # cause
                return self.cache[key]


        encoder = Encoder()
        head = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"), name="head")
        batches = {i: rng.normal(size=(5, 6)).astype("float32") for i in range(2)}
        labels = {i: rng.normal(size=(5, 1)).astype("float32") for i in range(2)}
        for key, x in batches.items():
            encoder(key, x)  # cause

        for epoch in range(2):
            for key, x in batches.items():
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((encoder(key, x) @ head - labels[key]) ** 2)
                grads = tape.gradient(loss, [encoder.w, head])
                head.assign_sub(0.1 * grads[1])
        print("RESULT:", grads[0])
    """,
    ),
    Program(
        "rollout_before_tape",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        policy = tf.Variable(rng.normal(0, 0.3, (3, 2)).astype("float32"))


        def run_episode():
            log_probs, rewards = [], []
            state = np.ones(3, dtype="float32")
            for t in range(4):
                logp = tf.nn.log_softmax(state[None] @ policy)
                action = int(rng.integers(0, 2))
                log_probs.append(logp[0, action])  # cause
                rewards.append(1.0 if action else -0.5)
                state = rng.normal(size=3).astype("float32")
            return tf.stack(log_probs), np.array(rewards, dtype="float32")  # cause


        for episode in range(3):
            log_probs, rewards = run_episode()  # cause
            returns = rewards[::-1].cumsum()[::-1].copy()
            with tf.GradientTape() as tape:
                loss = -tf.reduce_sum(log_probs * returns)
            grad = tape.gradient(loss, policy)
        print("RESULT:", grad)
    """,
    ),
    Program(
        "custom_norm_two_inputs",
        "custom-gradient-wrong-count",
        """
        import numpy as np
        import tensorflow as tf


        @tf.custom_gradient
        def scaled_tanh(x, scale):
            y = tf.tanh(x * scale)

            def backward(dy):
                slope = 1.0 - y ** 2
                return dy * slope * scale  # cause

            return y, backward


        class Layer:
            def __init__(self, n):
                self.w = tf.Variable(np.full((n, n), 0.1, dtype="float32"))
                self.scale = tf.Variable(np.ones(n, dtype="float32"))

            def __call__(self, x):
                return scaled_tanh(x @ self.w, self.scale)


        layers = [Layer(3), Layer(3)]
        x = tf.constant([[1.0, 2.0, 3.0]])
        with tf.GradientTape() as tape:
            for layer in layers:
                x = layer(x)
            loss = tf.reduce_sum(x ** 2)
        variables = [v for layer in layers for v in (layer.w, layer.scale)]
        grads = tape.gradient(loss, variables)
        print("RESULT:", [g.numpy() for g in grads])
    """,
    ),
    Program(
        "custom_clip_returns_none",
        "custom-gradient-wrong-count",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def clip_gradient(x, limit):
            def grad(upstream):
                return tf.clip_by_value(upstream, -limit, limit), None

            return tf.identity(x), grad


        @tf.custom_gradient
        def soft_threshold(x, level):
            shrunk = tf.sign(x) * tf.maximum(tf.abs(x) - level, 0.0)

            def grad(upstream):
                passed = tf.cast(tf.abs(x) > level, x.dtype)
                return upstream * passed, None  # cause

            return shrunk, grad


        code = tf.Variable([0.9, -0.2, 1.4, 0.05])
        level = tf.Variable(0.3)
        dictionary = tf.constant([[1.0, 0.0, 0.5, 0.2], [0.0, 1.0, 0.3, 0.1]])
        signal = tf.constant([1.2, 0.4])
        with tf.GradientTape() as tape:
            sparse = soft_threshold(code, level)
            rebuilt = tf.linalg.matvec(dictionary, clip_gradient(sparse, 1.0))
            loss = tf.reduce_sum((rebuilt - signal) ** 2)
        grads = tape.gradient(loss, [code, level])
        print("RESULT:", grads[1])
    """,
    ),
    Program(
        "caption_decoder_sampling",
        "discrete-sampling",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        tf.random.set_seed(7)
        VOCAB, UNITS = 6, 4
        emb = tf.Variable(rng.normal(0, 0.3, (VOCAB, UNITS)).astype("float32"), name="emb")
        recurrent = tf.Variable(rng.normal(0, 0.3, (UNITS, UNITS)).astype("float32"), name="recurrent")
        out = tf.Variable(rng.normal(0, 0.3, (UNITS, VOCAB)).astype("float32"), name="out")
        score = tf.constant(rng.normal(size=VOCAB).astype("float32"))


        def generate(length):
            h, token, tokens = tf.zeros([1, UNITS]), tf.constant([0]), []
            for _ in range(length):
                h = tf.tanh(tf.gather(emb, token) + h @ recurrent)
                token = tf.cast(tf.random.categorical(h @ out, 1)[:, 0], tf.int32)  # cause
                tokens.append(token)
            return tf.concat(tokens, axis=0)


        def quality(tokens):
            return tf.reduce_mean(tf.gather(score, tokens))


        with tf.GradientTape() as tape:
            loss = -quality(generate(5))
        print("RESULT:", tape.gradient(loss, out))
    """,
    ),
    Program(
        "stochastic_depth_gate",
        "discrete-sampling",
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(8)
        keep_logit = tf.Variable([0.4, -0.2, 0.8])
        blocks = [tf.Variable(np.eye(3, dtype="float32") * s) for s in (0.5, 0.7, 0.9)]
        x = tf.constant([[1.0, -1.0, 2.0]])


        class Gate:
            def __init__(self, logits):
                self.logits = logits

            def draw(self):
                p = tf.sigmoid(self.logits)
                noise = tf.random.uniform(p.shape)
                return tf.cast(noise < p, tf.float32)  # cause


        gate = Gate(keep_logit)
        with tf.GradientTape() as tape:
            keep = gate.draw()
            h = x
            for i, block in enumerate(blocks):
                h = h + keep[i] * (h @ block)
            loss = tf.reduce_mean(h ** 2)
        print("RESULT:", tape.gradient(loss, keep_logit))
    """,
    ),
    Program(
        "csv_features_in_double",
        "dtype-mismatch",
        """
        import io

        import numpy as np
        import tensorflow as tf

        table = np.genfromtxt(io.StringIO("1.0,2.0,3.5\\n2.0,0.5,1.5\\n0.1,0.3,0.7\\n"), delimiter=",")
        features, target = table[:, :2], table[:, 2:]


        class Linear:
            def __init__(self, n_in, n_out):
                self.w = tf.Variable(tf.random.normal([n_in, n_out]))
                self.b = tf.Variable(tf.zeros([n_out]))

            def __call__(self, x):
                return tf.matmul(x, self.w) + self.b  # cause


        inputs = tf.convert_to_tensor(features)  # cause
        model = Linear(2, 1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(inputs) - target) ** 2)
        print("RESULT:", tape.gradient(loss, [model.w, model.b]))
    """,
    ),
    Program(
        "schedule_in_double",
        "dtype-mismatch",
        """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([[1.0], [2.0]])
        x = tf.constant([[0.5, 1.0], [1.5, -1.0]])
        y = tf.constant([[1.0], [0.0]])


        def cosine_schedule(step, total):
            fraction = tf.constant(step / total, dtype=tf.float64)  # cause
            return 0.5 * (1.0 + tf.cos(np.pi * fraction))


        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - y) ** 2)
            grad = tape.gradient(loss, w)
            rate = 0.1 * cosine_schedule(step, 3)
            w.assign_sub(rate * grad)  # cause
        print("RESULT:", w.numpy())
    """,
    ),
    Program(
        "one_based_labels_file",
        "label-out-of-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(17)


        def load():
            x = rng.normal(size=(12, 4)).astype("float32")
            species = np.array([1, 2, 3] * 4)
            return x, species


        def batches(x, y, size):
            for i in range(0, len(x), size):
                yield x[i : i + size], y[i : i + size]


        x, y = load()  # cause
        w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
        b = tf.Variable(tf.zeros(3))


        def loss_fn(x, y):
            logits = x @ w + b
            return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))  # cause


        for xb, yb in batches(x, y, 4):
            with tf.GradientTape() as tape:
                loss = loss_fn(xb, yb)
            gw, gb = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * gw)
            b.assign_sub(0.1 * gb)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "ignore_index_minus_one",
        "label-out-of-range",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        IGNORE = -1
        tags = np.array([[0, 2, 1, IGNORE], [1, IGNORE, IGNORE, IGNORE]])
        words = rng.normal(size=(2, 4, 5)).astype("float32")


        class Tagger:
            def __init__(self, features, tags):
                self.kernel = tf.Variable(rng.normal(0, 0.2, (features, tags)).astype("float32"))

            def logits(self, words):
                return tf.einsum("bld,dt->blt", words, self.kernel)


        def masked_loss(logits, tags):
            keep = tf.cast(tags != IGNORE, tf.float32)
            per_token = tf.nn.sparse_softmax_cross_entropy_with_logits(tags, logits)  # cause
            return tf.reduce_sum(per_token * keep) / tf.reduce_sum(keep)


        tagger = Tagger(5, 3)
        with tf.GradientTape() as tape:
            loss = masked_loss(tagger.logits(words), tf.constant(tags))
        print("RESULT:", tape.gradient(loss, tagger.kernel).numpy())
    """,
    ),
    Program(
        "anti_aliased_downsample",
        "op-without-gradient",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(25)
        image = tf.Variable(rng.random((1, 8, 8, 1)).astype("float32"))
        goal = rng.random((1, 4, 4, 1)).astype("float32")


        def shrink(batch, size, method="area"):
            return tf.image.resize(batch, [size, size], method=method)  # cause


        class Matcher:
            def __init__(self, goal):
                self.goal = goal

            def loss(self, batch):
                small = shrink(batch, self.goal.shape[1])
                return tf.reduce_mean((small - self.goal) ** 2)


        matcher = Matcher(goal)
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = matcher.loss(tf.sigmoid(image))
            image.assign_sub(0.1 * tape.gradient(loss, image))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "histogram_matching",
        "non-differentiable-op",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(26)
        theta = tf.Variable(rng.normal(size=(6,)).astype("float32"))


        def unique_levels(x):
            return tf.raw_ops.Bincount(arr=tf.cast(x * 3.0, tf.int32), size=4, weights=x)


        def ranks(x):
            return tf.argsort(tf.argsort(x))  # cause


        def spread(x):
            ordered = tf.cast(ranks(x), tf.float32)
            return tf.reduce_sum(ordered * tf.constant([0.1, 0.2, 0.3, 0.1, 0.2, 0.1]))


        with tf.GradientTape() as tape:
            loss = spread(theta)
        print("RESULT:", tape.gradient(loss, theta))
    """,
    ),
    Program(
        "frozen_embedding_loaded",
        "recording-switched-off",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(29)


        class Embedding:
            def __init__(self, table, trainable):
                self.table = tf.Variable(table, trainable=trainable, name="table")  # cause

            def __call__(self, ids):
                return tf.nn.embedding_lookup(self.table, ids)


        class Classifier:
            def __init__(self, vectors, finetune=False):
                self.embedding = Embedding(vectors, trainable=finetune)
                self.w = tf.Variable(rng.normal(0, 0.1, (3, 2)).astype("float32"), name="w")

            @property
            def weights(self):
                return [self.embedding.table, self.w]

            def __call__(self, ids):
                return tf.reduce_mean(self.embedding(ids), axis=1) @ self.w


        model = Classifier(rng.normal(size=(7, 3)).astype("float32"))
        ids, labels = tf.constant([[1, 2], [3, 4]]), tf.constant([0, 1])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(ids)))
        grads = tape.gradient(loss, model.weights)
        print("RESULT:", grads[0])
    """,
    ),
    Program(
        "selective_tape_misses_head",
        "recording-switched-off",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(30)
        body = tf.Variable(rng.normal(0, 0.3, (4, 4)).astype("float32"), name="body")
        head = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"), name="head")
        x, y = rng.normal(size=(6, 4)).astype("float32"), rng.normal(size=(6, 1)).astype("float32")


        def tape_for(variables):
            tape = tf.GradientTape(watch_accessed_variables=False)  # cause
            return tape


        def step(trained):
            with tape_for(trained) as tape:
                tape.watch(head)
                loss = tf.reduce_mean((tf.tanh(x @ body) @ head - y) ** 2)
            return tape.gradient(loss, trained)


        print("RESULT:", step([body, head])[0])
    """,
    ),
    Program(
        "adversarial_batch_not_watched",
        "source-not-watched",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(35)
        w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        labels = tf.constant([0, 2])


        def loss_of(images):
            return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=images @ w))


        def fgsm(images, eps, steps):
            adversarial = tf.identity(images)
            for i in range(steps):
                with tf.GradientTape() as tape:
                    if i == 0:
                        tape.watch(adversarial)
                    loss = loss_of(adversarial)  # cause
                grad = tape.gradient(loss, adversarial)
                if grad is None:
                    return None
                adversarial = adversarial + eps * tf.sign(grad)
            return adversarial


        images = tf.constant(rng.random((2, 4)).astype("float32"))
        print("RESULT:", fgsm(images, 0.1, 2))
    """,
    ),
    Program(
        "latent_optimisation_constant",
        "source-not-watched",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(36)


        class Generator:
            def __init__(self):
                self.w = tf.Variable(rng.normal(0, 0.5, (2, 5)).astype("float32"))

            def __call__(self, z):
                return tf.tanh(z @ self.w)


        class Inverter:
            def __init__(self, generator, target):
                self.generator, self.target = generator, target
                self.z = tf.zeros([1, 2])  # cause

            def loss(self):
                return tf.reduce_mean((self.generator(self.z) - self.target) ** 2)

            def step(self):
                with tf.GradientTape() as tape:  # cause
                    value = self.loss()  # cause
                return tape.gradient(value, self.z)


        inverter = Inverter(Generator(), rng.normal(size=(1, 5)).astype("float32"))
        print("RESULT:", inverter.step())
    """,
    ),
    Program(
        "rowwise_adagrad_sparse",
        "sparse-gradient-arithmetic",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(37)
        table = tf.Variable(rng.normal(size=(10, 4)).astype("float32"))
        accumulator = tf.Variable(tf.zeros([10, 4]))
        ids = tf.constant([1, 3, 3])


        class Adagrad:
            def __init__(self, lr):
                self.lr = lr

            def apply(self, grad, variable):
                accumulator.assign_add(grad ** 2)  # cause
                variable.assign_sub(self.lr * grad / (tf.sqrt(accumulator) + 1e-7))


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
        grad = tape.gradient(loss, table)
        Adagrad(0.1).apply(grad, table)
        print("RESULT:", table.numpy()[1])
    """,
    ),
    Program(
        "embedding_grad_norm_log",
        "sparse-gradient-arithmetic",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(38)
        emb = tf.Variable(rng.normal(size=(6, 3)).astype("float32"), name="emb")
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"), name="w")


        def train_step(ids, y):
            with tf.GradientTape() as tape:
                pred = tf.reduce_mean(tf.nn.embedding_lookup(emb, ids), axis=1) @ w
                loss = tf.reduce_mean((pred - y) ** 2)
            return tape.gradient(loss, [emb, w])


        def log_norms(grads):
            return [float(tf.reduce_max(tf.abs(g)).numpy()) + g.numpy().mean() for g in grads]  # cause


        grads = train_step(tf.constant([[0, 1], [2, 2]]), tf.constant([[1.0], [0.0]]))
        print("RESULT:", log_norms(grads))
    """,
    ),
    Program(
        "trainer_makes_tape_once",
        "tape-never-entered",
        """
        import tensorflow as tf


        class Trainer:
            def __init__(self, variables):
                self.variables = variables
                self.tape = tf.GradientTape(persistent=True)  # cause

            def loss(self):
                return tf.add_n([tf.reduce_sum(v ** 2) for v in self.variables])

            def step(self):
                loss = self.loss()
                grads = self.tape.gradient(loss, self.variables)  # cause
                for v, g in zip(self.variables, grads):
                    v.assign_sub(0.1 * g)
                return loss


        trainer = Trainer([tf.Variable([1.0, 2.0]), tf.Variable(3.0)])
        for _ in range(2):
            loss = trainer.step()
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "helper_returns_open_tape",
        "tape-never-entered",
        """
        import tensorflow as tf

        x = tf.Variable([1.0, -2.0])


        def record(f):
            tape = tf.GradientTape()  # cause
            tape.watch(x)  # cause
            return tape, f(x)


        def cost(v):
            return tf.reduce_sum(v ** 4)


        tape, value = record(cost)
        grad = tape.gradient(value, x)  # cause
        print("RESULT:", grad)
    """,
    ),
    Program(
        "epoch_loss_averaged",
        "target-not-a-tensor",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(41)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        x = rng.normal(size=(12, 3)).astype("float32")
        y = rng.normal(size=(12, 1)).astype("float32")


        def epoch_loss():
            losses = []
            for i in range(0, 12, 4):
                error = x[i : i + 4] @ w - y[i : i + 4]
                losses.append(tf.reduce_mean(error ** 2))
            return np.mean(losses)  # cause


        with tf.GradientTape() as tape:
            loss = epoch_loss()
        grad = tape.gradient(loss, w)  # cause
        print("RESULT:", grad)
    """,
    ),
    Program(
        "loss_dict_as_target",
        "target-not-a-tensor",
        """
        import tensorflow as tf

        w = tf.Variable([0.5, -0.5])


        def losses():
            fit = tf.reduce_sum((w - 1.0) ** 2)
            print("fit", fit.numpy())
            if fit > 100.0:
                return {"fit": fit}


        def step():
            with tf.GradientTape() as tape:
                result = losses()
            return tape.gradient(result, w)  # cause


        print("RESULT:", step())
    """,
    ),
    Program(
        "weights_in_closure",
        "variable-not-tracked",
        """
        import tensorflow as tf


        class Dense(tf.Module):
            def __init__(self, n_in, n_out):
                super().__init__()
                w = tf.Variable(tf.random.normal([n_in, n_out], seed=1))  # cause
                b = tf.Variable(tf.zeros([n_out]))  # cause
                self.forward = lambda x: tf.matmul(x, w) + b  # cause

            def __call__(self, x):
                return tf.nn.relu(self.forward(x))


        model = Dense(3, 2)
        x = tf.constant([[1.0, 2.0, 3.0]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)  # cause
        print("RESULT:", list(grads))
    """,
    ),
    Program(
        "fast_weights_rewrapped",
        "variable-rewrap",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(45)
        meta = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in ((2, 4), (4, 1))]
        x, y = rng.normal(size=(6, 2)).astype("float32"), rng.normal(size=(6, 1)).astype("float32")


        def net(p, x):
            return tf.tanh(x @ p[0]) @ p[1]


        def adapt(p):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((net(p, x) - y) ** 2)
            grads = tape.gradient(loss, p)
            return [tf.Variable(v - 0.1 * g) for v, g in zip(p, grads)]  # cause


        with tf.GradientTape() as outer:
            fast = adapt(meta)
            query = tf.reduce_mean((net(fast, x + 1.0) - y) ** 2)
        print("RESULT:", outer.gradient(query, meta))
    """,
    ),
    Program(
        "film_layer_parameters",
        "variable-rewrap",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(46)
        conditioner = tf.Variable(rng.normal(0, 0.3, (3, 8)).astype("float32"), name="conditioner")


        class Film:
            def __init__(self, gamma, beta):
                self.gamma = tf.Variable(gamma)  # cause
                self.beta = tf.Variable(beta)  # cause

            def __call__(self, h):
                return self.gamma * h + self.beta


        def modulate(context, h):
            gamma, beta = tf.split(context @ conditioner, 2, axis=1)
            return Film(gamma, beta)(h)


        context = rng.normal(size=(2, 3)).astype("float32")
        h = rng.normal(size=(2, 4)).astype("float32")
        with tf.GradientTape() as tape:
            out = modulate(context, h)
            loss = tf.reduce_mean(out ** 2)
        print("RESULT:", tape.gradient(loss, conditioner))
    """,
    ),
    Program(
        "intermediate_not_watched_second_tape",
        "source-not-watched",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        w = tf.Variable(rng.normal(0, 0.5, (2, 1)).astype("float32"))
        inputs = tf.constant(rng.normal(size=(8, 2)).astype("float32"))


        def energy(x):
            return tf.reduce_sum(tf.tanh(x @ w), axis=1)


        class Sampler:
            def __init__(self, steps, size):
                self.steps, self.size = steps, size

            def gradient(self, x):
                with tf.GradientTape() as tape:
                    e = energy(x)  # cause
                return tape.gradient(e, x)

            def run(self, x):
                for _ in range(self.steps):
                    g = self.gradient(x)
                    if g is None:
                        return None
                    x = x - self.size * g
                return x


        print("RESULT:", Sampler(3, 0.1).run(inputs))
    """,
    ),
    Program(
        "watch_list_copy",
        "source-not-watched",
        """
        import numpy as np
        import tensorflow as tf

        params = {"k": 1.5, "m": 0.4}
        start = tf.constant([1.0, 0.0])


        def simulate(k, m):
            x, v = start[0], start[1]
            for _ in range(5):
                v = v - 0.1 * k / m * x
                x = x + 0.1 * v
            return x


        tensors = {name: tf.constant(value) for name, value in params.items()}
        with tf.GradientTape() as tape:
            tape.watch(tensors["k"])
            final = simulate(tensors["k"], tensors["m"])  # cause
        grads = tape.gradient(final, tensors)
        print("RESULT:", grads["m"])
    """,
    ),
    Program(
        "dict_submodule_not_tracked",
        "variable-not-tracked",
        """
        import tensorflow as tf


        class Block:
            def __init__(self, n):
                self.w = tf.Variable(tf.eye(n))  # cause

            def __call__(self, x):
                return tf.tanh(x @ self.w)


        class Model(tf.Module):
            def __init__(self, n):
                super().__init__()
                self.blocks = [Block(n), Block(n)]  # cause

            def __call__(self, x):
                for block in self.blocks:
                    x = block(x)
                return x


        model = Model(3)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([1, 3])) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "list_of_weights_before_append",
        "variable-not-tracked",
        """
        import tensorflow as tf


        class Net:
            def __init__(self, sizes):
                self.layers = []
                for a, b in zip(sizes, sizes[1:]):
                    w = tf.Variable(tf.random.normal([a, b], seed=3))  # cause
                    b_ = tf.Variable(tf.zeros([b]))
                    self.layers.append((w, b_))

            @property
            def trainable_variables(self):
                return [v for v in vars(self).values() if isinstance(v, tf.Variable)]  # cause

            def __call__(self, x):
                for w, b in self.layers:
                    x = tf.nn.elu(x @ w + b)
                return x


        net = Net([2, 3, 1])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(tf.ones([4, 2])) ** 2)
        grads = tape.gradient(loss, net.trainable_variables)  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "mean_action_rewrapped",
        "variable-rewrap",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        encoder = tf.Variable(rng.normal(0, 0.3, (4, 2)).astype("float32"))


        def to_state(code):
            return tf.Variable(code, name="state")  # cause


        def decode(state, steps):
            for _ in range(steps):
                state = tf.sin(state) + 0.1
            return state


        x = rng.normal(size=(3, 4)).astype("float32")
        with tf.GradientTape() as tape:
            state = to_state(x @ encoder)
            loss = tf.reduce_mean(decode(state, 3) ** 2)
        print("RESULT:", tape.gradient(loss, encoder))
    """,
    ),
    Program(
        "numpy_wrapped_loss_function",
        "target-not-a-tensor",
        """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype="float32")


        def rmse(pred, truth):
            return float(tf.sqrt(tf.reduce_mean((pred - truth) ** 2)))  # cause


        class Fit:
            def __init__(self, metric):
                self.metric = metric

            def step(self):
                with tf.GradientTape() as tape:
                    loss = self.metric(tf.linalg.matvec(x, w), tf.constant([1.0, 0.0]))
                return tape.gradient(loss, w)  # cause


        print("RESULT:", Fit(rmse).step())
    """,
    ),
    Program(
        "weighted_histogram_counts",
        "op-without-gradient",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        scores = tf.Variable(rng.random(10).astype("float32"))
        bins = tf.constant([0, 1, 1, 2, 0, 2, 2, 1, 0, 1])


        def histogram(weights):
            return tf.math.bincount(bins, weights=weights, minlength=3)  # cause


        with tf.GradientTape() as tape:
            mass = histogram(tf.nn.softmax(scores))
            loss = tf.reduce_sum((mass - 1.0 / 3.0) ** 2)
        print("RESULT:", tape.gradient(loss, scores))
    """,
    ),
    Program(
        "contrast_augmentation",
        "op-without-gradient",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        patch = tf.Variable(rng.random((1, 6, 6, 3)).astype("float32"))
        kernel = tf.constant(rng.normal(size=(3, 3, 3, 2)).astype("float32"))


        def augment(image):
            image = tf.image.adjust_brightness(image, 0.1)
            return tf.image.adjust_saturation(image, 1.3)  # cause


        def score(image):
            return tf.reduce_mean(tf.nn.conv2d(image, kernel, 1, "SAME")[..., 0])


        for step in range(2):
            with tf.GradientTape() as tape:
                objective = -score(augment(patch))
            patch.assign_sub(0.1 * tape.gradient(objective, patch))
        print("RESULT:", objective.numpy())
    """,
    ),
    Program(
        "noise_schedule_dtype_backward",
        "dtype-mismatch",
        """
        import numpy as np
        import tensorflow as tf


        @tf.custom_gradient
        def ballistic(v):
            g = np.float64(9.81)
            reach = v ** 2 / 9.81

            def grad(dy):
                slope = tf.constant(2.0 / g * v.numpy(), dtype=tf.float64)
                return tf.cast(dy, tf.float64) * slope  # cause

            return reach, grad


        speed = tf.Variable([10.0, 12.0])
        target = tf.constant([11.0, 15.0])
        with tf.GradientTape() as tape:
            miss = tf.reduce_sum((ballistic(speed * 1.0) - target) ** 2)
        print("RESULT:", tape.gradient(miss, speed))
    """,
    ),
    Program(
        "regression_labels_float64",
        "dtype-mismatch",
        """
        import numpy as np
        import tensorflow as tf


        class Loader:
            def __init__(self, n):
                rng = np.random.default_rng(20)
                self.x = tf.constant(rng.normal(size=(n, 2)), dtype=tf.float32)
                self.y = tf.constant(rng.normal(size=(n, 1)))  # cause

            def batches(self, size):
                for i in range(0, len(self.x), size):
                    yield self.x[i : i + size], self.y[i : i + size]


        def mse(pred, y):
            return tf.reduce_mean((pred - y) ** 2)  # cause


        w = tf.Variable(tf.zeros([2, 1]))
        for xb, yb in Loader(8).batches(4):
            with tf.GradientTape() as tape:
                loss = mse(xb @ w, yb)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy())
    """,
    ),
    Program(
        "compiled_step_outside_penalty",
        "computed-outside-tape",
        """
        import tensorflow as tf

        w = tf.Variable([1.0, -2.0, 0.5])
        x = tf.constant([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]])
        y = tf.constant([1.0, 0.0])


        @tf.function
        def train_step():
            smooth = tf.reduce_sum((w[1:] - w[:-1]) ** 2)  # cause
            with tf.GradientTape() as tape:
                fit = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
                loss = fit + 0.5 * smooth
            grad = tape.gradient(loss, w)
            w.assign_sub(0.1 * grad)
            return loss


        for _ in range(10):
            loss = train_step()
        print("RESULT:", w.numpy())
    """,
    ),
    Program(
        "partial_model_after_block",
        "computed-outside-tape",
        """
        import functools

        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        params = {"w": tf.Variable(rng.normal(size=(3, 2)).astype("float32")), "b": tf.Variable(tf.zeros(2))}


        def dense(params, x):
            return x @ params["w"] + params["b"]


        model = functools.partial(dense, params)
        x = rng.normal(size=(5, 3)).astype("float32")
        labels = tf.constant([0, 1, 1, 0, 1])
        with tf.GradientTape() as tape:
            logits = model(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))  # cause
        print("RESULT:", tape.gradient(loss, params))
    """,
    ),
    Program(
        "gradient_method_missing_return",
        "custom-gradient-wrong-count",
        """
        import tensorflow as tf


        class Quantiser:
            def __init__(self, levels):
                self.levels = levels

            def __call__(self, x):
                @tf.custom_gradient
                def forward(v):
                    def backward(dv):
                        inside = tf.cast(tf.abs(v) <= 1.0, v.dtype)
                        return [dv * inside, None]  # cause

                    return tf.round(v * self.levels) / self.levels, backward

                return forward(x)


        w = tf.Variable([0.3, -0.7, 1.2])
        q = Quantiser(4.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((q(w) - 0.5) ** 2)
        print("RESULT:", tape.gradient(loss, w))
    """,
    ),
    Program(
        "numpy_choice_in_policy_class",
        "discrete-sampling",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)


        class Policy(tf.Module):
            def __init__(self):
                super().__init__()
                self.theta = tf.Variable(tf.zeros([3]))

            def probabilities(self):
                return tf.nn.softmax(self.theta)

            def act(self):
                p = self.probabilities().numpy().astype("float64")
                return int(rng.choice(3, p=p / p.sum()))  # cause


        rewards = tf.constant([0.1, 0.7, 0.3])
        policy = Policy()
        with tf.GradientTape() as tape:
            total = tf.add_n([rewards[policy.act()] for _ in range(4)])
        print("RESULT:", tape.gradient(total, policy.theta))
    """,
    ),
    Program(
        "double_precision_physics",
        "dtype-mismatch",
        """
        from dataclasses import dataclass, field

        import numpy as np
        import tensorflow as tf

        G = tf.constant(6.674e-11, dtype=tf.float64)  # cause


        @dataclass
        class Body:
            mass: float
            position: tf.Variable = field(default_factory=lambda: tf.Variable([1.0, 0.0]))


        def potential(a, b):
            distance = tf.norm(a.position - b.position)
            return -G * a.mass * b.mass / distance  # cause


        earth, moon = Body(5.97e24), Body(7.35e22, tf.Variable([3.8, 0.5]))
        with tf.GradientTape() as tape:
            energy = potential(earth, moon)
        print("RESULT:", tape.gradient(energy, moon.position))
    """,
    ),
    Program(
        "vocabulary_too_small",
        "label-out-of-range",
        """
        import numpy as np
        import tensorflow as tf

        text = "the cat sat on the mat the end"
        words = text.split()
        vocabulary = {w: i for i, w in enumerate(dict.fromkeys(words))}
        ids = np.array([vocabulary[w] for w in words])
        CLASSES = len(vocabulary) - 1  # cause
        rng = np.random.default_rng(8)
        emb = tf.Variable(rng.normal(0, 0.1, (len(vocabulary), 4)).astype("float32"))
        out = tf.Variable(rng.normal(0, 0.1, (4, CLASSES)).astype("float32"))  # cause


        def step(inputs, targets):
            with tf.GradientTape() as tape:
                logits = tf.gather(emb, inputs) @ out
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)  # cause
                loss = tf.reduce_mean(loss)
            return loss, tape.gradient(loss, [emb, out])


        for i in range(len(ids) - 1):
            loss, grads = step(ids[i : i + 1], ids[i + 1 : i + 2])
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "averaged_weights_not_trainable",
        "recording-switched-off",
        """
        import numpy as np
        import tensorflow as tf


        def make_variable(shape, trainable=False, name=None):
            value = np.random.default_rng(13).normal(size=shape).astype("float32")
            return tf.Variable(value, trainable=trainable, name=name)  # cause


        class Student:
            def __init__(self):
                self.w = make_variable((3, 1), name="student_w")  # cause

            def __call__(self, x):
                return x @ self.w


        student = Student()
        x, y = tf.ones([4, 3]), tf.zeros([4, 1])


        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((student(x) - y) ** 2)
            return loss, tape.gradient(loss, student.w)


        loss, grad = step()
        print("RESULT:", grad)
    """,
    ),
    Program(
        "compiled_input_sensitivity",
        "source-not-watched",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        weights = [tf.Variable(rng.normal(0, 0.5, s).astype("float32")) for s in ((4, 6), (6, 1))]


        @tf.function
        def network(x):
            for w in weights[:-1]:
                x = tf.nn.gelu(x @ w)
            return x @ weights[-1]


        def sensitivities(batch):
            results = []
            for row in tf.unstack(batch):
                point = row[tf.newaxis]
                with tf.GradientTape() as tape:
                    out = network(point)  # cause
                results.append(tape.gradient(out, point))
            return results


        print("RESULT:", sensitivities(tf.constant(rng.normal(size=(2, 4)).astype("float32"))))
    """,
    ),
    Program(
        "decorator_forgets_return",
        "target-not-a-tensor",
        """
        import functools

        import tensorflow as tf


        def logged(f):
            @functools.wraps(f)
            def wrapper(*args):
                value = f(*args)
                print(f.__name__, float(value))  # cause

            return wrapper


        @logged
        def loss_fn(w):
            return tf.reduce_sum(w ** 2)


        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = loss_fn(w)  # cause
        print("RESULT:", tape.gradient(loss, w))  # cause
    """,
    ),
    Program(
        "ensemble_members_in_dict",
        "variable-not-tracked",
        """
        import tensorflow as tf


        class Member:
            def __init__(self, seed):
                self.w = tf.Variable(tf.random.stateless_normal([2, 1], [seed, 0]))  # cause

            def __call__(self, x):
                return x @ self.w


        class Ensemble:
            def __init__(self, n):
                self.members = {f"m{i}": Member(i) for i in range(n)}

            @property
            def trainable_variables(self):
                return [v for v in self.members.values() if isinstance(v, tf.Variable)]  # cause

            def __call__(self, x):
                return tf.add_n([m(x) for m in self.members.values()]) / len(self.members)


        ensemble = Ensemble(3)
        x = tf.ones([4, 2])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(ensemble(x) ** 2)
        variables = ensemble.trainable_variables
        print("RESULT:", tape.gradient(loss, variables))  # cause
    """,
    ),
    Program(
        "scheduled_noise_rewrap",
        "variable-rewrap",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        betas = tf.Variable(np.linspace(0.01, 0.2, 5).astype("float32"))


        class Diffusion:
            def __init__(self, betas):
                self.betas = betas

            def prepare(self):
                alphas = 1.0 - self.betas
                self.alpha_bar = tf.Variable(tf.math.cumprod(alphas), trainable=True)  # cause

            def noisy(self, x, t, eps):
                a = tf.gather(self.alpha_bar, t)[:, None]
                return tf.sqrt(a) * x + tf.sqrt(1.0 - a) * eps


        x = rng.normal(size=(3, 2)).astype("float32")
        eps = rng.normal(size=(3, 2)).astype("float32")
        model = Diffusion(betas)
        with tf.GradientTape() as tape:
            model.prepare()
            loss = tf.reduce_mean(model.noisy(x, [0, 2, 4], eps) ** 2)
        print("RESULT:", tape.gradient(loss, betas))
    """,
    ),
    Program(
        "thumbnail_score_compiled",
        "op-without-gradient",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(24)
        canvas = tf.Variable(rng.random((1, 8, 8, 3)).astype("float32"))


        @tf.function
        def render(image, factor):
            bright = tf.image.adjust_contrast(image, factor)  # cause
            return tf.nn.avg_pool2d(bright, 2, 2, "VALID")


        target = tf.constant(rng.random((1, 4, 4, 3)).astype("float32"))
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((render(canvas, 1.5) - target) ** 2)
            canvas.assign_sub(tape.gradient(loss, canvas))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "second_phase_forgets_decoder",
        "branch-not-taken",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)


        def layer(a, b):
            return tf.Variable(rng.normal(0, 0.4, (a, b)).astype("float32"))


        encoder, decoder, classifier = layer(6, 3), layer(3, 6), layer(3, 2)
        all_variables = [encoder, decoder, classifier]
        x = rng.normal(size=(12, 6)).astype("float32")
        y = rng.integers(0, 2, 12)

        for epoch in range(4):
            pretraining = epoch >= 0
            with tf.GradientTape() as tape:
                code = tf.tanh(x @ encoder)
                if pretraining:  # cause
                    loss = tf.reduce_mean((code @ decoder - x) ** 2)
                else:
                    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=code @ classifier))  # cause
            grads = tape.gradient(loss, all_variables)
            encoder.assign_sub(0.1 * grads[0])
        print("RESULT:", grads[2])
    """,
    ),
    Program(
        "fine_tuning_never_sees_adapter",
        "source-unused",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        base = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"), name="base")
        adapter = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"), name="adapter")  # cause
        x = rng.normal(size=(8, 4)).astype("float32")


        def joint():
            return tf.tanh(x @ base) @ adapter


        def finetune():
            return tf.tanh(x @ base)


        for model in (joint, joint, finetune):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model() - 1.0) ** 2)  # cause
            grads = tape.gradient(loss, [base, adapter])
            base.assign_sub(0.1 * grads[0])
        print("RESULT:", grads[1])
    """,
    ),
]
