"""Whole models, with a None, an exception or an empty list whose cause is in another class or function."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "moe_router",
        "branch-not-taken",
        """
        import tensorflow as tf

        tf.random.set_seed(1)


        class Expert(tf.Module):
            def __init__(self, units, name=None):
                super().__init__(name=name)
                self.w = tf.Variable(tf.random.normal([4, units], stddev=0.3), name="w")
                self.b = tf.Variable(tf.zeros([units]), name="b")

            def __call__(self, x):
                return tf.nn.relu(x @ self.w + self.b)


        class Router(tf.Module):
            def __init__(self):
                super().__init__()
                self.small = Expert(3, name="small")
                self.large = Expert(3, name="large")

            def __call__(self, x):
                magnitude = float(tf.norm(x))
                if magnitude < 100.0:  # cause
                    return self.small(x)
                return self.large(x)  # cause


        router = Router()
        batch = tf.random.normal([6, 4])
        with tf.GradientTape() as tape:
            out = router(batch)
            loss = tf.reduce_mean(out ** 2)
        grads = tape.gradient(loss, router.trainable_variables)
        for v, g in zip(router.trainable_variables, grads):
            print("RESULT:", v.name, None if g is None else float(tf.norm(g)))
    """,
    ),
    Program(
        "task_heads",
        "branch-not-taken",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)


        class Head(tf.Module):
            def __init__(self, n, m, name):
                super().__init__(name=name)
                self.kernel = tf.Variable(rng.normal(0, 0.3, size=(n, m)).astype("float32"), name=f"{name}_kernel")

            def forward(self, h):
                return h @ self.kernel


        class MultiTask(tf.Module):
            def __init__(self):
                super().__init__()
                self.body = Head(5, 4, "body")
                self.heads = {"depth": Head(4, 1, "depth"), "normal": Head(4, 3, "normal")}

            def loss(self, x, y, task):
                h = tf.nn.relu(self.body.forward(x))
                if task == "depth":  # cause
                    return tf.reduce_mean(tf.abs(self.heads["depth"].forward(h) - y["depth"]))
                else:
                    n = tf.nn.l2_normalize(self.heads["normal"].forward(h), axis=-1)  # cause
                    return -tf.reduce_mean(tf.reduce_sum(n * y["normal"], axis=-1))


        model = MultiTask()
        x = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
        y = {"depth": tf.zeros([6, 1]), "normal": tf.ones([6, 3])}
        with tf.GradientTape() as tape:
            loss = model.loss(x, y, "depth")
        grads = tape.gradient(loss, model.trainable_variables)
        print("RESULT:", [(v.name, g is None) for v, g in zip(model.trainable_variables, grads)])
    """,
    ),
    Program(
        "tf_cond_method",
        "branch-not-taken",
        """
        import tensorflow as tf


        class AdaptiveGain:
            def __init__(self):
                self.low = tf.Variable(1.5)
                self.high = tf.Variable(0.5)
                self.limit = 10.0

            def quiet(self, x):
                return self.low * x

            def loud(self, x):
                return self.high * tf.sqrt(tf.abs(x) + 1e-6)  # cause

            def __call__(self, x):
                level = tf.reduce_max(tf.abs(x))
                return tf.cond(level < self.limit, lambda: self.quiet(x), lambda: self.loud(x))  # cause


        gain = AdaptiveGain()
        signal = tf.constant([0.3, -1.2, 2.2, 0.1])
        with tf.GradientTape() as tape:
            out = gain(signal)
            loss = tf.reduce_mean((out - signal) ** 2)
        print("RESULT:", tape.gradient(loss, [gain.low, gain.high]))
    """,
    ),
    Program(
        "perceptual_method",
        "branch-not-taken",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)


        class SuperResolution:
            def __init__(self, use_perceptual=False):
                self.up = tf.Variable(rng.normal(0, 0.3, (4, 8)).astype("float32"))
                self.probe = tf.Variable(rng.normal(0, 0.3, (8, 5)).astype("float32"))
                self.use_perceptual = use_perceptual

            def features(self, image):
                return tf.nn.relu(image @ self.probe)

            def perceptual(self, a, b):
                return tf.reduce_mean((self.features(a) - self.features(b)) ** 2)

            def loss(self, small, big):
                guess = small @ self.up
                pixel = tf.reduce_mean((guess - big) ** 2)
                if self.use_perceptual:  # cause
                    return pixel + 0.1 * self.perceptual(guess, big)  # cause
                return pixel


        model = SuperResolution()
        small = tf.constant(rng.normal(size=(5, 4)).astype("float32"))
        big = tf.constant(rng.normal(size=(5, 8)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = model.loss(small, big)
        grads = tape.gradient(loss, [model.up, model.probe])
        print("RESULT:", grads[1])
    """,
    ),
    Program(
        "optional_attention",
        "branch-not-taken",
        """
        import tensorflow as tf

        tf.random.set_seed(3)


        class Attention(tf.Module):
            def __init__(self, dim):
                super().__init__()
                self.query = tf.Variable(tf.random.normal([dim, dim]) * 0.3)
                self.key = tf.Variable(tf.random.normal([dim, dim]) * 0.3)

            def __call__(self, x):
                scores = tf.matmul(x @ self.query, x @ self.key, transpose_b=True)
                return tf.nn.softmax(scores) @ x


        class Block(tf.Module):
            def __init__(self, dim, min_length=16):
                super().__init__()
                self.attention = Attention(dim)
                self.dense = tf.Variable(tf.random.normal([dim, dim]) * 0.3)
                self.min_length = min_length

            def __call__(self, x):
                x = self.attention(x) if x.shape[1] >= self.min_length else x  # cause
                return tf.nn.gelu(x @ self.dense)


        block = Block(4)
        sequence = tf.random.normal([2, 8, 4])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(block(sequence) ** 2)
        names = ["attention.query", "attention.key", "dense"]
        variables = [block.attention.query, block.attention.key, block.dense]
        print("RESULT:", dict(zip(names, [g is None for g in tape.gradient(loss, variables)])))
    """,
    ),
    Program(
        "depth_schedule",
        "branch-not-taken",
        """
        import numpy as np
        import tensorflow as tf


        class ProgressiveNet:
            # Layers are switched on one after the other while training goes on.

            def __init__(self, rng, depth=3):
                self.stem = tf.Variable(rng.normal(0, 0.4, (3, 6)).astype("float32"))
                self.extra = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"))
                self.out = tf.Variable(rng.normal(0, 0.4, (6, 1)).astype("float32"))
                self.stage = 0

            def __call__(self, x):
                h = tf.nn.elu(x @ self.stem)
                while self.stage > 0 and h.shape[1] < 6:  # cause
                    h = h + tf.nn.elu(h @ self.extra)  # cause
                return h @ self.out


        rng = np.random.default_rng(0)
        net = ProgressiveNet(rng)
        x = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(12, 1)).astype("float32"))
        for epoch in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((net(x) - y) ** 2)
            grads = tape.gradient(loss, [net.stem, net.extra, net.out])
        print("RESULT:", grads[1])
    """,
    ),
    Program(
        "bias_add",
        "custom-gradient-wrong-shape",
        """
        import numpy as np
        import tensorflow as tf


        @tf.custom_gradient
        def scaled_bias(x, bias):
            out = x + 0.5 * bias

            def grad(upstream):
                return upstream, 0.5 * upstream  # cause

            return out, grad


        class Dense:
            def __init__(self, n_in, n_out, rng):
                self.kernel = tf.Variable(rng.normal(0, 0.3, size=(n_in, n_out)).astype("float32"))
                self.bias = tf.Variable(np.zeros(n_out, "float32"))

            def __call__(self, x):
                return scaled_bias(tf.matmul(x, self.kernel), self.bias)


        rng = np.random.default_rng(11)
        first, second = Dense(3, 4, rng), Dense(4, 1, rng)
        x = rng.normal(size=(7, 3)).astype("float32")
        variables = [first.kernel, first.bias, second.kernel, second.bias]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(second(tf.nn.relu(first(x))) ** 2)
        grads = tape.gradient(loss, variables)
        for v, g in zip(variables, grads):
            v.assign_sub(0.1 * g)
        print("RESULT:", [g.shape for g in grads])
    """,
    ),
    Program(
        "solve_adjoint",
        "custom-gradient-wrong-shape",
        """
        import tensorflow as tf


        @tf.custom_gradient
        def implicit_solve(matrix, rhs):
            solution = tf.linalg.solve(matrix, rhs)

            def adjoint(upstream):
                lam = tf.linalg.solve(tf.transpose(matrix), upstream)
                d_matrix = -tf.reduce_sum(lam * solution, axis=1)
                return d_matrix, lam  # cause

            return solution, adjoint


        stiffness = tf.Variable([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
        load = tf.constant([[1.0], [2.0], [0.5]])

        with tf.GradientTape() as tape:
            displacement = implicit_solve(stiffness, load)
            compliance = tf.reduce_sum(load * displacement)
        sensitivity = tape.gradient(compliance, stiffness)
        print("RESULT:", sensitivity)
    """,
    ),
    Program(
        "beam_curvature",
        "derivative-not-recorded",
        """
        import tensorflow as tf

        tf.random.set_seed(5)


        class Net(tf.Module):
            def __init__(self):
                super().__init__()
                self.w1 = tf.Variable(tf.random.normal([1, 10]), name="w1")
                self.w2 = tf.Variable(tf.random.normal([10, 1]), name="w2")

            def __call__(self, x):
                return tf.tanh(x @ self.w1) @ self.w2


        def second_derivative(net, x):
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    u = net(x)
            du = inner.gradient(u, x)  # cause
            return outer.gradient(du, x)


        net = Net()
        x = tf.reshape(tf.linspace(0.0, 1.0, 11), (-1, 1))
        print("RESULT:", second_derivative(net, x))
    """,
    ),
    Program(
        "sobolev",
        "derivative-not-recorded",
        """
        import numpy as np
        import tensorflow as tf


        class Potential(tf.Module):
            def __init__(self):
                super().__init__()
                self.w1 = tf.Variable(tf.random.stateless_normal([2, 8], seed=[0, 1]) * 0.5)
                self.w2 = tf.Variable(tf.random.stateless_normal([8, 1], seed=[0, 2]) * 0.5)

            def energy(self, x):
                return tf.nn.softplus(x @ self.w1) @ self.w2

            def forces(self, x):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    e = self.energy(x)
                return -tape.gradient(e, x)  # cause


        rng = np.random.default_rng(0)
        positions = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
        true_forces = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
        model = Potential()
        predicted = model.forces(positions)  # cause
        with tf.GradientTape() as tape:
            force_loss = tf.reduce_mean((predicted - true_forces) ** 2)
        grads = tape.gradient(force_loss, model.trainable_variables)
        print("RESULT:", grads)
    """,
    ),
    Program(
        "midpoint_index",
        "integer-dtype",
        """
        import tensorflow as tf

        knots = tf.linspace(0.0, 10.0, 11)
        values = tf.Variable(tf.sin(knots))
        t = tf.Variable(3.3)


        def piecewise_constant(t):
            step = tf.cast(t / 10.0 * 10.0, "int32")  # cause
            return values[step]


        with tf.GradientTape() as tape:
            y = piecewise_constant(t) ** 2
        print("RESULT:", tape.gradient(y, t))
    """,
    ),
    Program(
        "bucketised_embedding",
        "integer-dtype",
        """
        import numpy as np
        import tensorflow as tf


        class AgeModel(tf.Module):
            def __init__(self):
                super().__init__()
                self.table = tf.Variable(tf.random.stateless_normal([10, 3], seed=[0, 1]))
                self.width = tf.Variable(10.0)
                self.out = tf.Variable(tf.ones([3, 1]))

            def bucket(self, age):
                return tf.cast(age / self.width, tf.int64)  # cause

            def __call__(self, age):
                return tf.gather(self.table, self.bucket(age)) @ self.out


        ages = tf.constant([23.0, 45.0, 67.0, 12.0])
        y = tf.constant(np.array([[1.0], [0.5], [0.2], [1.5]], "float32"))
        model = AgeModel()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(ages) - y) ** 2)
        d = tape.gradient(loss, [model.width, model.out])
        print("RESULT:", d[0])
    """,
    ),
    Program(
        "pixel_attack",
        "integer-dtype",
        """
        import tensorflow as tf

        tf.random.set_seed(7)
        kernel = tf.random.normal([3, 3, 3, 4], stddev=0.1)
        head = tf.random.normal([4, 2], stddev=0.3)


        def preprocess(img):
            return tf.image.convert_image_dtype(img, tf.float32) - 0.5


        def classify(img):
            h = tf.nn.relu(tf.nn.conv2d(img[None], kernel, 1, "SAME"))
            return tf.reduce_mean(h, axis=[1, 2]) @ head


        image = tf.cast(tf.random.uniform([8, 8, 3], maxval=256, dtype=tf.int32), tf.uint8)  # cause
        label = tf.constant([1])
        with tf.GradientTape() as tape:
            tape.watch(image)  # cause
            logits = classify(preprocess(image))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(label, logits))
        saliency = tape.gradient(loss, image)
        print("RESULT:", saliency)
    """,
    ),
    Program(
        "lazy_dense",
        "layer-not-built",
        """
        import numpy as np
        import tensorflow as tf


        class Dense(tf.Module):
            def __init__(self, units, name=None):
                super().__init__(name=name)
                self.units = units
                self.built = False

            def __call__(self, x):
                if not self.built:
                    self.w = tf.Variable(tf.random.normal([x.shape[-1], self.units], stddev=0.1), name="w")
                    self.b = tf.Variable(tf.zeros([self.units]), name="b")
                    self.built = True
                return x @ self.w + self.b


        class MLP(tf.Module):
            def __init__(self):
                super().__init__()
                self.layers = [Dense(8), Dense(1)]

            def __call__(self, x):
                return self.layers[1](tf.nn.relu(self.layers[0](x)))


        model = MLP()
        params = model.trainable_variables  # cause
        x = tf.constant(np.random.default_rng(0).normal(size=(6, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        grads = tape.gradient(loss, params)
        print("RESULT:", grads)
    """,
    ),
    Program(
        "optimizer_captures",
        "layer-not-built",
        """
        import tensorflow as tf


        class LazyLinear:
            def __init__(self, units):
                self.units = units
                self.weights = []

            def build(self, width):
                self.kernel = tf.Variable(tf.random.stateless_normal([width, self.units], seed=[1, 1]))
                self.weights.append(self.kernel)

            def __call__(self, x):
                if not self.weights:
                    self.build(int(x.shape[1]))
                return x @ self.kernel


        class SGD:
            def __init__(self, params, lr):
                self.params = list(params)  # cause
                self.lr = lr

            def step(self, tape, loss):
                grads = tape.gradient(loss, self.params)  # cause
                for p, g in zip(self.params, grads):
                    p.assign_sub(self.lr * g)
                return grads


        layer = LazyLinear(2)
        optimizer = SGD(layer.weights, 0.1)  # cause
        x = tf.ones([4, 3])
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(layer(x) ** 2)
            grads = optimizer.step(tape, loss)
        print("RESULT:", grads)
    """,
    ),
    Program(
        "vq_codebook",
        "non-differentiable-op",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)


        class VQ(tf.Module):
            def __init__(self):
                super().__init__()
                self.encoder = tf.Variable(rng.normal(0, 0.4, size=(6, 2)).astype("float32"))
                self.codebook = tf.Variable(rng.normal(size=(8, 2)).astype("float32"))
                self.decoder = tf.Variable(rng.normal(0, 0.4, size=(2, 6)).astype("float32"))

            def quantize(self, z):
                distances = tf.reduce_sum((z[:, None] - self.codebook[None]) ** 2, axis=-1)
                nearest = tf.argmin(distances, axis=1)  # cause
                return tf.gather(self.codebook, nearest)

            def __call__(self, x):
                z = x @ self.encoder
                return self.quantize(z) @ self.decoder


        vq = VQ()
        x = tf.constant(rng.normal(size=(12, 6)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((vq(x) - x) ** 2)
        g = tape.gradient(loss, {"encoder": vq.encoder, "decoder": vq.decoder})
        print("RESULT:", g["encoder"])
    """,
    ),
    Program(
        "spike_neuron",
        "non-differentiable-op",
        """
        import numpy as np
        import tensorflow as tf


        class LIFLayer:
            # Leaky integrate and fire.

            def __init__(self, n_in, n_out, rng):
                self.w = tf.Variable(rng.normal(0, 1.0, size=(n_in, n_out)).astype("float32"))
                self.threshold = 1.0

            def run(self, currents):
                v = tf.zeros([currents.shape[1], self.w.shape[1]])
                total = tf.zeros_like(v)
                for t in range(currents.shape[0]):
                    v = 0.9 * v + tf.matmul(currents[t], self.w)
                    spikes = tf.cast(v > self.threshold, tf.float32)  # cause
                    v = v - spikes * self.threshold
                    total = total + spikes
                return total / float(currents.shape[0])


        rng = np.random.default_rng(2)
        layer = LIFLayer(3, 2, rng)
        currents = tf.constant(rng.uniform(0, 1, size=(10, 4, 3)).astype("float32"))
        target_rate = tf.constant([[0.2, 0.4]] * 4)
        with tf.GradientTape() as tape:
            rate = layer.run(currents)
            loss = tf.reduce_mean((rate - target_rate) ** 2)
        print("RESULT:", tape.gradient(loss, layer.w))
    """,
    ),
    Program(
        "style_gram",
        "numpy-conversion",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(31)
        filters = tf.constant(rng.normal(0, 0.2, size=(3, 3, 3, 6)).astype("float32"))
        style = rng.uniform(size=(1, 12, 12, 3)).astype("float32")
        image = tf.Variable(rng.uniform(size=(1, 12, 12, 3)).astype("float32"))


        def features(img):
            return tf.nn.relu(tf.nn.conv2d(img, filters, 1, "VALID"))


        def gram(activation):
            flat = np.reshape(activation, (-1, activation.shape[-1]))  # cause
            return tf.matmul(flat, flat, transpose_a=True) / flat.shape[0]


        style_gram = gram(features(style))


        def style_loss(img):
            return tf.reduce_mean((gram(features(img)) - style_gram) ** 2)


        with tf.GradientTape() as tape:
            loss = style_loss(image)
        print("RESULT:", tape.gradient(loss, image))
    """,
    ),
    Program(
        "replay_buffer",
        "numpy-conversion",
        """
        import collections
        import numpy as np
        import tensorflow as tf


        class Buffer:
            def __init__(self):
                self.items = collections.deque(maxlen=50)

            def add(self, state, value):
                self.items.append((state, float(value)))  # cause

            def values(self):
                return tf.constant([v for _, v in self.items])

            def states(self):
                return np.stack([s for s, _ in self.items])


        class ValueNet:
            def __init__(self):
                self.w = tf.Variable([[0.2], [-0.4], [0.1]])

            def __call__(self, s):
                return tf.squeeze(tf.matmul(s, self.w), axis=1)


        rng = np.random.default_rng(40)
        net, buffer = ValueNet(), Buffer()
        with tf.GradientTape() as tape:
            for t in range(8):
                s = rng.normal(size=3).astype("float32")
                buffer.add(s, net(s[None])[0])
            returns = tf.constant(rng.normal(size=8).astype("float32"))
            loss = tf.reduce_mean((buffer.values() - returns) ** 2)
        print("RESULT:", tape.gradient(loss, net.w))
    """,
    ),
    Program(
        "scipy_style",
        "numpy-conversion",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        design = rng.normal(size=(20, 3))
        response = design @ np.array([1.0, 0.0, -1.0])
        log_lambda = tf.Variable(0.0, dtype=tf.float64)


        def ridge_solution(lam):
            gram = design.T @ design + lam * np.eye(3)
            return np.linalg.solve(gram, design.T @ response)  # cause


        def validation_error(log_lambda):
            beta = ridge_solution(tf.exp(log_lambda))  # cause
            held_out = rng.normal(size=(10, 3))
            residual = tf.linalg.matvec(held_out, beta) - held_out @ np.array([1.0, 0.0, -1.0])
            return tf.reduce_mean(residual ** 2)


        with tf.GradientTape() as tape:
            error = validation_error(log_lambda)
        print("RESULT:", tape.gradient(error, log_lambda))
    """,
    ),
    Program(
        "adjoint_list",
        "output-gradients-mismatch",
        """
        import numpy as np
        import tensorflow as tf


        class Simulator:
            def __init__(self):
                self.k = tf.Variable([0.5, 0.2, 0.1])

            def rollout(self, u0, steps):
                states = []
                u = u0
                for _ in range(steps):
                    u = u + 0.1 * tf.tanh(self.k * u)
                    states.append(u)
                return tf.stack(states)


        def adjoint_seed(steps, width):
            seed = np.zeros((width, steps), "float32")
            seed[:, -1] = 1.0
            return tf.constant(seed)  # cause


        sim = Simulator()
        with tf.GradientTape() as tape:
            trajectory = sim.rollout(tf.constant([1.0, 2.0, 3.0]), 5)
        seed = adjoint_seed(5, 3)  # cause
        print("RESULT:", tape.gradient(trajectory, sim.k, output_gradients=seed))  # cause
    """,
    ),
    Program(
        "scipy_filter",
        "python-callback-opaque",
        """
        import numpy as np
        import tensorflow as tf


        class SmoothingLayer:
            def __init__(self, width):
                self.kernel = np.ones(width, "float32") / width

            def _convolve(self, signal):
                return np.stack([np.convolve(row, self.kernel, mode="same") for row in signal.numpy()]).astype("float32")  # cause

            def __call__(self, x):
                y = tf.py_function(func=self._convolve, inp=[x], Tout=tf.float32)  # cause
                return tf.ensure_shape(y, x.shape)


        rng = np.random.default_rng(0)
        gain = tf.Variable(rng.uniform(0.5, 1.5, size=(1, 20)).astype("float32"))
        signals = tf.constant(rng.normal(size=(4, 20)).astype("float32"))
        target = tf.constant(rng.normal(size=(4, 20)).astype("float32"))
        smooth = SmoothingLayer(5)
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((smooth(signals * gain) - target) ** 2)
            g = tape.gradient(loss, gain)
        print("RESULT:", g)
    """,
    ),
    Program(
        "decorated_reward",
        "python-callback-opaque",
        """
        import functools
        import numpy as np
        import tensorflow as tf


        def as_tf(func):
            @functools.wraps(func)
            def wrapper(*tensors):
                return tf.numpy_function(func, tensors, tf.float32)  # cause

            return wrapper


        @as_tf
        def rank_correlation(a, b):
            ra = np.argsort(np.argsort(a))
            rb = np.argsort(np.argsort(b))
            return np.float32(np.corrcoef(ra, rb)[0, 1])


        rng = np.random.default_rng(5)
        w = tf.Variable(rng.normal(size=(4,)).astype("float32"))
        x = tf.constant(rng.normal(size=(15, 4)).astype("float32"))
        relevance = tf.constant(rng.normal(size=15).astype("float32"))


        def ranking_loss(w):
            scores = tf.linalg.matvec(x, w)
            return 1.0 - rank_correlation(scores, relevance)  # cause


        with tf.GradientTape() as tape:
            loss = ranking_loss(w) + 0.0
        print("RESULT:", tape.gradient(loss, w))
    """,
    ),
    Program(
        "per_layer_params",
        "source-is-a-copy",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(51)
        theta = tf.Variable(rng.normal(size=11).astype("float32"))


        def unpack(vector):
            w = tf.reshape(vector[:6], (3, 2))
            b = vector[6:8]
            v = tf.reshape(vector[8:10], (2, 1))
            return w, b, v, vector[10]


        def model(x, vector):
            w, b, v, c = unpack(vector)
            return tf.tanh(x @ w + b) @ v + c


        x = tf.constant(rng.normal(size=(9, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(9, 1)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, theta) - y) ** 2)
        parts = unpack(theta)  # cause
        grads = tape.gradient(loss, list(parts))  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "input_optimised",
        "source-is-a-copy",
        """
        import tensorflow as tf

        tf.random.set_seed(9)


        class Generator(tf.Module):
            def __init__(self):
                super().__init__()
                self.w = tf.Variable(tf.random.normal([4, 6], stddev=0.3))

            def __call__(self, z):
                return tf.sigmoid(z @ self.w)


        def latent_search(generator, target, steps):
            z = tf.Variable(tf.random.normal([1, 4]))
            for _ in range(steps):
                with tf.GradientTape() as tape:
                    code = tf.clip_by_norm(z, 2.0)
                    loss = tf.reduce_sum((generator(code) - target) ** 2)
                grad = tape.gradient(loss, tf.clip_by_norm(z, 2.0))  # cause
                if grad is None:
                    return None
                z.assign_sub(0.1 * grad)
            return grad


        print("RESULT:", latent_search(Generator(), tf.random.uniform([1, 6]), 3))
    """,
    ),
    Program(
        "attention_map",
        "source-is-a-copy",
        """
        import numpy as np
        import tensorflow as tf


        class Attention:
            def __init__(self, d, rng):
                self.q, self.k, self.v = (tf.Variable(rng.normal(0, 0.4, size=(d, d)).astype("float32")) for _ in range(3))

            def weights(self, x):
                return tf.nn.softmax(tf.matmul(x @ self.q, x @ self.k, transpose_b=True) / 2.0)

            def __call__(self, x):
                return self.weights(x) @ (x @ self.v)


        rng = np.random.default_rng(10)
        attention = Attention(4, rng)
        readout = tf.constant(rng.normal(size=(4, 1)).astype("float32"))
        tokens = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
        with tf.GradientTape() as tape:
            attn = attention.weights(tokens)  # cause
            score = tf.reduce_sum(attention(tokens) @ readout)  # cause
        relevance = tape.gradient(score, attn)  # cause
        print("RESULT:", relevance)
    """,
    ),
    Program(
        "dueling_dqn",
        "source-unused",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)


        def init(*shape):
            return tf.Variable(rng.normal(0, 0.3, size=shape).astype("float32"))


        net = {
            "body": init(4, 8),
            "value": init(8, 1),  # cause
            "advantage": init(8, 3),
        }


        def q_values(params, s):
            h = tf.nn.relu(s @ params["body"])
            value = h @ params["value"]  # cause
            advantage = h @ params["advantage"]
            return advantage - tf.reduce_mean(advantage, axis=1, keepdims=True)  # cause


        states = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
        actions = tf.constant([0, 2, 1, 1, 0, 2])
        targets = tf.constant(rng.normal(size=6).astype("float32"))
        with tf.GradientTape() as tape:
            q = tf.gather(q_values(net, states), actions, batch_dims=1)
            loss = tf.reduce_mean((q - targets) ** 2)
        grads = tape.gradient(loss, net)
        print("RESULT:", {k: g is None for k, g in grads.items()})
    """,
    ),
    Program(
        "second_conv",
        "source-unused",
        """
        import tensorflow as tf

        tf.random.set_seed(0)


        class Conv:
            def __init__(self, k, cin, cout):
                self.filters = tf.Variable(tf.random.normal([k, k, cin, cout], stddev=0.1))  # cause

            def __call__(self, x):
                return tf.nn.relu(tf.nn.conv2d(x, self.filters, 1, "SAME"))


        class UNet:
            def __init__(self):
                self.down = Conv(3, 1, 4)
                self.middle = Conv(3, 4, 4)  # cause
                self.up = Conv(3, 4, 1)

            def __call__(self, x):
                skip = self.down(x)
                bottom = self.middle(skip)  # cause
                return self.up(skip)  # cause


        net = UNet()
        image = tf.random.uniform([2, 6, 6, 1])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(image) - image) ** 2)
        variables = [net.down.filters, net.middle.filters, net.up.filters]
        print("RESULT:", [g is None for g in tape.gradient(loss, variables)])
    """,
    ),
    Program(
        "dropout_bias",
        "source-unused",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)


        def lstm_params(n, h):
            def weight(*shape):
                return tf.Variable(rng.normal(0, 0.2, shape).astype("float32"))

            return {"wi": weight(n + h, h), "wf": weight(n + h, h), "wo": weight(n + h, h), "wg": weight(n + h, h)}  # cause


        def lstm_step(p, x, h, c):
            z = tf.concat([x, h], axis=1)
            i = tf.sigmoid(z @ p["wi"])
            f = tf.sigmoid(z @ p["wf"])
            o = tf.sigmoid(z @ p["wi"])  # cause
            c = f * c + i * tf.tanh(z @ p["wg"])
            return o * tf.tanh(c), c


        params = lstm_params(3, 4)
        x = tf.constant(rng.normal(size=(6, 5, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            h = c = tf.zeros([6, 4])
            for t in range(5):
                h, c = lstm_step(params, x[:, t], h, c)
            loss = tf.reduce_mean(h ** 2)
        grads = tape.gradient(loss, params)
        print("RESULT:", {k: None if g is None else float(tf.norm(g)) for k, g in grads.items()})
    """,
    ),
    Program(
        "kl_forgotten",
        "source-unused",
        """
        import tensorflow as tf

        tf.random.set_seed(11)
        enc = tf.Variable(tf.random.normal([6, 4], stddev=0.2))
        log_var_head = tf.Variable(tf.random.normal([6, 4], stddev=0.2))  # cause
        dec = tf.Variable(tf.random.normal([4, 6], stddev=0.2))


        def encode(x):
            return x @ enc, x @ log_var_head


        def elbo(x):
            mean, log_var = encode(x)  # cause
            z = mean + tf.random.normal(tf.shape(mean))  # cause
            recon = tf.reduce_mean(tf.reduce_sum((z @ dec - x) ** 2, axis=1))
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1.0 + log_var - mean ** 2 - tf.exp(log_var), axis=1))
            return recon  # cause


        x = tf.random.normal([10, 6])
        with tf.GradientTape() as tape:
            loss = elbo(x)  # cause
        grads = tape.gradient(loss, [enc, log_var_head, dec])
        print("RESULT:", [None if g is None else float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "contrastive_keys",
        "stop-gradient-misplaced",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)


        class MoCo(tf.Module):
            def __init__(self):
                super().__init__()
                self.query_encoder = tf.Variable(rng.normal(0, 0.4, (5, 3)).astype("float32"))
                self.key_encoder = tf.Variable(self.query_encoder, trainable=False)

            def embed(self, x, encoder):
                return tf.nn.l2_normalize(tf.matmul(x, encoder), axis=1)

            def loss(self, a, b, temperature=0.2):
                q = tf.stop_gradient(self.embed(a, self.query_encoder))  # cause
                k = self.embed(b, self.key_encoder)
                logits = tf.matmul(q, k, transpose_b=True) / temperature
                labels = tf.range(tf.shape(logits)[0])
                return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


        a = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
        b = a + 0.05 * tf.constant(rng.normal(size=(6, 5)).astype("float32"))
        model = MoCo()
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = model.loss(a, b)
            grad = tape.gradient(loss, model.query_encoder)
        print("RESULT:", grad)
    """,
    ),
    Program(
        "simsiam",
        "stop-gradient-misplaced",
        """
        import numpy as np
        import tensorflow as tf


        class SimSiam(tf.Module):
            def __init__(self, rng):
                super().__init__()
                self.encoder = tf.Variable(rng.normal(0, 0.3, size=(8, 4)).astype("float32"))
                self.predictor = tf.Variable(rng.normal(0, 0.3, size=(4, 4)).astype("float32"))

            def project(self, view):
                return tf.nn.l2_normalize(view @ self.encoder, axis=1)

            def predict(self, z):
                return tf.nn.l2_normalize(z @ self.predictor, axis=1)


        def distance(p, z):
            return -tf.reduce_mean(tf.reduce_sum(tf.stop_gradient(p) * z, axis=1))  # cause


        rng = np.random.default_rng(27)
        model = SimSiam(rng)
        a = tf.constant(rng.normal(size=(6, 8)).astype("float32"))
        b = a + 0.1 * tf.constant(rng.normal(size=(6, 8)).astype("float32"))
        with tf.GradientTape() as tape:
            z1, z2 = model.project(a), model.project(b)
            p1, p2 = model.predict(z1), model.predict(z2)
            loss = 0.5 * distance(p1, z2) + 0.5 * distance(p2, z1)
        grads = tape.gradient(loss, [model.encoder, model.predictor])
        print("RESULT:", grads[1])
    """,
    ),
    Program(
        "hessian_rows",
        "tape-used-twice",
        """
        import tensorflow as tf


        def hessian(f, x):
            with tf.GradientTape() as outer:  # cause
                with tf.GradientTape() as inner:
                    y = f(x)
                g = inner.gradient(y, x)
                parts = tf.unstack(g)
            return tf.stack([outer.gradient(p, x) for p in parts])  # cause


        x = tf.Variable([1.0, 2.0, -1.0])
        print("RESULT:", hessian(lambda v: tf.reduce_sum(v ** 3) + v[0] * v[1], x))
    """,
    ),
    Program(
        "actor_then_critic",
        "tape-used-twice",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)


        class Agent:
            def __init__(self):
                self.actor = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
                self.critic = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))

            def losses(self, s):
                value = s @ self.critic
                policy = tf.nn.log_softmax(s @ self.actor)
                return -tf.reduce_mean(policy * tf.stop_gradient(value)), tf.reduce_mean(value ** 2)


        def apply(tape, loss, variables, lr):
            for v, g in zip(variables, tape.gradient(loss, variables)):  # cause
                v.assign_sub(lr * g)


        agent = Agent()
        for step in range(3):
            s = rng.normal(size=(4, 3)).astype("float32")
            with tf.GradientTape() as tape:  # cause
                actor_loss, critic_loss = agent.losses(s)
            apply(tape, actor_loss, [agent.actor], 0.1)  # cause
            apply(tape, critic_loss, [agent.critic], 0.1)  # cause
        print("RESULT:", agent.actor.numpy())
    """,
    ),
    Program(
        "target_update",
        "variable-assigned-in-tape",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)


        class Memory:
            def __init__(self, slots, width):
                self.state = tf.Variable(tf.zeros([slots, width]), trainable=False)

            def write(self, slot, value):
                self.state.scatter_nd_update([[slot]], value[None])  # cause

            def read(self):
                return tf.reduce_mean(self.state, axis=0)


        controller = tf.Variable(rng.normal(0, 0.5, (4, 3)).astype("float32"))
        inputs = tf.constant(rng.normal(size=(5, 4)).astype("float32"))
        memory = Memory(5, 3)
        with tf.GradientTape() as tape:
            for t in range(5):
                memory.write(t, tf.tanh(tf.linalg.matvec(controller, inputs[t], transpose_a=True)))
            loss = tf.reduce_sum((memory.read() - 1.0) ** 2)
        print("RESULT:", tape.gradient(loss, controller))
    """,
    ),
    Program(
        "physics_state",
        "variable-assigned-in-tape",
        """
        import tensorflow as tf


        class Particle:
            def __init__(self):
                self.position = tf.Variable([0.0, 10.0], trainable=False)
                self.velocity = tf.Variable([5.0, 0.0], trainable=False)

            def step(self, force, mass, dt):
                self.velocity.assign_add(dt * force / mass)  # cause
                self.position.assign_add(dt * self.velocity)  # cause


        def landing_error(particle, force, mass):
            for _ in range(10):
                particle.step(force, mass, 0.1)
            return tf.reduce_sum((particle.position - tf.constant([8.0, 0.0])) ** 2)


        thrust = tf.Variable([0.0, -9.8])
        mass = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            error = landing_error(Particle(), thrust, mass)
        print("RESULT:", tape.gradient(error, [thrust, mass]))
    """,
    ),
    Program(
        "ema_attribute",
        "variable-overwritten-by-tensor",
        """
        import numpy as np
        import tensorflow as tf


        class Linear(tf.Module):
            def __init__(self, rng):
                super().__init__()
                self.w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
                self.b = tf.Variable([0.0])

            def __call__(self, x):
                return x @ self.w + self.b


        def weight_decay(layer, rate):
            layer.w = layer.w * (1.0 - rate)  # cause


        rng = np.random.default_rng(9)
        layer = Linear(rng)
        x = tf.constant(rng.normal(size=(10, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(10, 1)).astype("float32"))
        for epoch in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((layer(x) - y) ** 2)
            dw, db = tape.gradient(loss, [layer.w, layer.b])
            if dw is None:
                break
            layer.w.assign_sub(0.1 * dw)
            layer.b.assign_sub(0.1 * db)
            weight_decay(layer, 0.01)
        print("RESULT:", epoch, dw)
    """,
    ),
    Program(
        "tuple_return",
        "variable-overwritten-by-tensor",
        """
        import tensorflow as tf


        def rosenbrock(x, y):
            return (1.0 - x) ** 2 + 100.0 * (y - x ** 2) ** 2


        def descend(x, y, lr):
            with tf.GradientTape() as tape:
                f = rosenbrock(x, y)
            dx, dy = tape.gradient(f, (x, y))
            if dx is None:
                return x, y, (dx, dy)
            return x - lr * dx, y - lr * dy, (dx, dy)  # cause


        x, y = tf.Variable(-0.5), tf.Variable(1.0)
        for i in range(4):
            x, y, grads = descend(x, y, 1e-3)  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "optimizer_class",
        "variable-overwritten-by-tensor",
        """
        import numpy as np
        import tensorflow as tf


        class Momentum:
            def __init__(self, lr, beta=0.9):
                self.lr, self.beta = lr, beta
                self.velocity = {}

            def update(self, params, grads):
                new = {}
                for name, p in params.items():
                    v = self.beta * self.velocity.get(name, 0.0) + grads[name]
                    self.velocity[name] = v
                    new[name] = p - self.lr * v  # cause
                return new


        def loss_fn(params, x, y):
            h = tf.tanh(x @ params["w1"] + params["b1"])
            return tf.reduce_mean((h @ params["w2"] - y) ** 2)


        rng = np.random.default_rng(16)
        params = {
            "w1": tf.Variable(rng.normal(size=(2, 4)).astype("float32")),
            "b1": tf.Variable(np.zeros(4, "float32")),
            "w2": tf.Variable(rng.normal(size=(4, 1)).astype("float32")),
        }
        x = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
        y = tf.constant(rng.normal(size=(10, 1)).astype("float32"))
        optimizer = Momentum(0.1)
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = loss_fn(params, x, y)
            grads = tape.gradient(loss, params)
            if any(g is None for g in grads.values()):
                break
            params = optimizer.update(params, grads)  # cause
        print("RESULT:", step, grads)
    """,
    ),
    Program(
        "teacher_student",
        "wrong-variable-list",
        """
        import tensorflow as tf


        def make_mlp(sizes, seed):
            params = []
            for i, (n, m) in enumerate(zip(sizes[:-1], sizes[1:])):
                params.append(tf.Variable(tf.random.stateless_normal([n, m], seed=[seed, i]) * 0.3))
            return params


        def forward(params, x):
            for w in params[:-1]:
                x = tf.nn.tanh(x @ w)
            return x @ params[-1]


        teacher = make_mlp([4, 16, 3], 1)
        student = make_mlp([4, 6, 3], 2)
        x = tf.random.stateless_normal([12, 4], seed=[3, 3])
        soft = tf.nn.softmax(forward(teacher, x))

        for step in range(2):
            with tf.GradientTape() as tape:
                logits = forward(student, x)
                loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits))
            grads = tape.gradient(loss, teacher)  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "meta_adapted",
        "wrong-variable-list",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)


        class Model:
            def __init__(self, weights=None):
                self.weights = weights or [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in [(2, 5), (5, 1)]]

            def __call__(self, x):
                return tf.tanh(x @ self.weights[0]) @ self.weights[1]

            def clone(self):
                return Model([tf.Variable(w) for w in self.weights])


        def adapt(model, x, y):
            fast = model.clone()
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((fast(x) - y) ** 2)
            grads = tape.gradient(loss, model.weights)  # cause
            return fast, grads


        x = tf.constant(rng.normal(size=(8, 2)).astype("float32"))
        y = tf.constant(rng.normal(size=(8, 1)).astype("float32"))
        print("RESULT:", adapt(Model(), x, y)[1])
    """,
    ),
    Program(
        "synced_target",
        "wrong-variable-list",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)


        class QNet(tf.Module):
            def __init__(self):
                super().__init__()
                self.w1 = tf.Variable(rng.normal(0, 0.3, (4, 8)).astype("float32"))
                self.w2 = tf.Variable(rng.normal(0, 0.3, (8, 2)).astype("float32"))

            def __call__(self, s):
                return tf.nn.relu(s @ self.w1) @ self.w2


        def sync(source, target):
            for s, t in zip(source.trainable_variables, target.trainable_variables):
                t.assign(s)


        online, target = QNet(), QNet()
        sync(online, target)
        for step in range(3):
            states = rng.normal(size=(6, 4)).astype("float32")
            rewards = rng.normal(size=(6,)).astype("float32")
            with tf.GradientTape() as tape:
                q = tf.reduce_max(target(states), axis=1)
                loss = tf.reduce_mean((q - rewards) ** 2)
            grads = tape.gradient(loss, online.trainable_variables)  # cause
        print("RESULT:", grads)
    """,
    ),
    Program(
        "ensemble_member",
        "wrong-variable-list",
        """
        import numpy as np
        import tensorflow as tf


        class Member(tf.Module):
            def __init__(self, seed):
                super().__init__()
                rng = np.random.default_rng(seed)
                self.w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
                self.b = tf.Variable(0.0)

            def __call__(self, x):
                return x @ self.w + self.b


        ensemble = [Member(s) for s in range(3)]
        rng = np.random.default_rng(100)
        x = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(20, 1)).astype("float32"))


        def train(members, lr=0.1):
            report = []
            for i in range(len(members)):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((members[i](x) - y) ** 2)
                variables = members[i - 1].trainable_variables  # cause
                grads = tape.gradient(loss, variables)  # cause
                report.append(grads)
            return report


        print("RESULT:", train(ensemble)[0])
    """,
    ),
]
