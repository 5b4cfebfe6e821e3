"""Programs in which Python or NumPy lost the way: numbers, names, branches, variables, lists."""

from tests.clinic.program import Program

PROGRAMS = [
    Program("assigned_metric_class", "variable-assigned-in-tape", """
        import tensorflow as tf


        class Mean:
            def __init__(self):
                self.total = tf.Variable(0.0)
                self.count = tf.Variable(0.0)

            def update(self, values):
                self.total.assign_add(tf.reduce_sum(values))  # cause
                self.count.assign_add(float(values.shape[0]))

            def result(self):
                return self.total / self.count  # cause


        metric = Mean()
        w = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            metric.update(w ** 2)
            loss = metric.result()
        print(tape.gradient(loss, w))
    """),
    Program("assigned_running_state", "variable-assigned-in-tape", """
        import tensorflow as tf

        w = tf.Variable(0.5)
        state = tf.Variable(0.0, trainable=False)
        with tf.GradientTape() as tape:
            for x in (1.0, 2.0, 3.0):
                state.assign(0.9 * state + w * x)  # cause
            loss = (state - 1.0) ** 2  # cause
        print(tape.gradient(loss, w))
    """),
    Program("assigned_slice", "variable-assigned-in-tape", """
        import tensorflow as tf

        grid = tf.Variable(tf.zeros([4]))
        left = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            grid[0].assign(left * 3.0)  # cause
            energy = tf.reduce_sum(grid ** 2)
        print(tape.gradient(energy, left))
    """),
    Program("branch_early_return", "branch-not-taken", """
        import tensorflow as tf

        params = {"slow": tf.Variable(0.4), "fast": tf.Variable(1.7)}
        speed = tf.constant([2.0, 4.0, 6.0])


        def drag(v):
            if tf.reduce_max(v) < 10.0:  # cause
                return params["slow"] * v
            return params["fast"] * v ** 2  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(drag(speed))
        print(tape.gradient(loss, params))
    """),
    Program("branch_in_method", "branch-not-taken", """
        import numpy as np
        import tensorflow as tf


        class Pricing:
            def __init__(self):
                self.base = tf.Variable(1.0)
                self.rebate = tf.Variable(0.3)

            def __call__(self, volume, loyal):
                price = self.base * volume
                if loyal:  # cause
                    price = price - self.rebate * volume ** 2  # cause
                return price


        volume = np.array([1.0, 2.0, 3.0], dtype="float32")
        model = Pricing()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(volume, loyal=False) - 2.0) ** 2)
        print(tape.gradient(loss, [model.base, model.rebate]))
    """),
    Program("branch_loop_zero_times", "branch-not-taken", """
        import tensorflow as tf

        decay = tf.Variable(0.9)
        start = tf.Variable(3.0)
        LAYERS = 0


        def roll(x):
            for _ in range(LAYERS):  # cause
                x = x * decay  # cause
            return x


        with tf.GradientTape() as tape:
            y = roll(start) ** 2
        print(tape.gradient(y, [start, decay]))
    """),
    Program("branch_ternary_regulariser", "branch-not-taken", """
        import tensorflow as tf

        w = tf.Variable([0.5, -0.5])
        alpha = tf.Variable(0.1)
        epoch = 0


        def penalty(weights):
            return alpha * tf.reduce_sum(weights ** 2) if epoch > 3 else 0.0  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w - 1.0) ** 2) + penalty(w)
        grads = tape.gradient(loss, [w, alpha])
        print(grads)
    """),
    Program("branch_tf_cond", "branch-not-taken", """
        import tensorflow as tf

        hot = tf.Variable(0.5)
        cold = tf.Variable(0.2)
        temperature = tf.constant(12.0)

        with tf.GradientTape() as tape:
            demand = tf.cond(temperature > 20.0, lambda: hot * temperature, lambda: cold * temperature)  # cause
            loss = (demand - 4.0) ** 2
        print(tape.gradient(loss, {"hot": hot, "cold": cold}))
    """),
    Program("layer_lazy_kernel", "layer-not-built", """
        import numpy as np
        import tensorflow as tf


        class Dense:
            def __init__(self, units):
                self.units = units
                self.variables = []

            def __call__(self, x):
                if not self.variables:
                    self.variables = [tf.Variable(tf.random.normal([x.shape[1], self.units]) * 0.1)]
                return tf.matmul(x, self.variables[0])


        layer = Dense(3)
        weights = layer.variables  # cause
        x = np.ones((4, 2), dtype="float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer(x) ** 2)
        grads = tape.gradient(loss, weights)  # cause
        print(grads)
    """),
    Program("layer_sum_of_lists", "layer-not-built", """
        import numpy as np
        import tensorflow as tf


        class Layer:
            def __init__(self, width):
                self.width = width
                self.kernel = None

            def build(self, size):
                self.kernel = tf.Variable(tf.ones([size, self.width]) * 0.1)

            def __call__(self, x):
                if self.kernel is None:
                    self.build(x.shape[-1])
                return tf.tanh(x @ self.kernel)

            @property
            def trainable_variables(self):
                return [] if self.kernel is None else [self.kernel]


        hidden, output = Layer(4), Layer(1)
        parameters = hidden.trainable_variables + output.trainable_variables  # cause
        x = np.ones((5, 3), dtype="float32")
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(output(hidden(x)) ** 2)
            grads = tape.gradient(loss, parameters)  # cause
            for p, g in zip(parameters, grads):
                p.assign_sub(0.1 * g)
        print(grads)
    """),
    Program("numpy_float_scalar", "numpy-conversion", """
        import tensorflow as tf


        def softplus_scale(raw):
            return 1.0 + float(raw) ** 2  # cause


        raw = tf.Variable(0.3)
        shift = tf.Variable(0.1)
        data = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((softplus_scale(raw) * data + shift) ** 2)
        print(tape.gradient(loss, [raw, shift]))
    """),
    Program("numpy_helper_normalise", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf


        def normalise(batch):
            batch = np.asarray(batch)  # cause
            return (batch - batch.mean(axis=0)) / (batch.std(axis=0) + 1e-6)


        class Encoder:
            def __init__(self):
                rng = np.random.default_rng(3)
                self.w = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))

            def __call__(self, x):
                return normalise(tf.matmul(x, self.w))


        encoder = Encoder()
        x = np.random.default_rng(4).normal(size=(6, 4)).astype("float32")
        with tf.GradientTape() as tape:
            code = encoder(x)
            loss = tf.reduce_mean(tf.reduce_sum(code ** 2, axis=1))
        print(tape.gradient(loss, [encoder.w]))
    """),
    Program("numpy_list_of_items", "numpy-conversion", """
        import tensorflow as tf

        rates = tf.Variable([0.01, 0.02, 0.03])
        cash = [100.0, 100.0, 1100.0]
        with tf.GradientTape() as tape:
            discounted = [c / (1.0 + r.numpy()) ** (i + 1) for i, (c, r) in enumerate(zip(cash, rates))]  # cause
            value = tf.add_n([tf.constant(d) for d in discounted])
        print(tape.gradient(value, rates))
    """),
    Program("numpy_method_chain", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(np.ones((3, 2), dtype="float32"))
        x = np.arange(6, dtype="float32").reshape(2, 3)
        with tf.GradientTape() as tape:
            out = tf.matmul(x, w)
            scaled = out.numpy() / np.abs(out.numpy()).max()  # cause
            loss = tf.reduce_mean(tf.square(scaled - 0.5))
        print(tape.gradient(loss, w))
    """),
    Program("numpy_np_function", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf

        t = tf.Variable([0.1, 0.2, 0.3])
        with tf.GradientTape() as tape:
            wave = np.sin(t * 2.0)  # cause
            loss = tf.reduce_sum(wave * 3.0)
        print(tape.gradient(loss, t))
    """),
    Program("numpy_tolist_item", "numpy-conversion", """
        import tensorflow as tf

        angles = tf.Variable([0.3, 0.6])
        with tf.GradientTape() as tape:
            first, second = (angles * 2.0).numpy().tolist()  # cause
            loss = tf.sin(first) + tf.cos(second)
        print(tape.gradient(loss, angles))
    """),
    Program("numpy_variable_value", "numpy-conversion", """
        import tensorflow as tf

        kernel = tf.Variable([[1.0, 0.5], [0.2, 0.3]])
        bias = tf.Variable([0.0, 0.0])


        def forward(x):
            return tf.linalg.matvec(tf.constant(kernel.numpy()), x) + bias  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(forward(tf.constant([1.0, 2.0])) ** 2)
        print(tape.gradient(loss, [kernel, bias]))
    """),
    Program("numpy_with_logging", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([0.5, 1.5])
        v = tf.Variable([1.0, 1.0])
        with tf.GradientTape() as tape:
            first = w * 2.0
            print("first", first.numpy(), float(first[0]))
            clipped = np.clip(first, 0.0, 2.5)  # cause
            loss = tf.reduce_sum(clipped * v)
        print(tape.gradient(loss, [w, v]))
    """),
    Program("overwritten_attribute", "variable-overwritten-by-tensor", """
        import tensorflow as tf


        class Fit:
            def __init__(self):
                self.k = tf.Variable(0.5)

            def step(self, x, y, lr=0.1):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self.k * x - y) ** 2)
                g = tape.gradient(loss, self.k)
                self.k = self.k - lr * g  # cause
                return loss


        fit = Fit()
        x = tf.constant([1.0, 2.0])
        for _ in range(2):
            print(fit.step(x, 3.0 * x))
    """),
    Program("overwritten_augmented", "variable-overwritten-by-tensor", """
        import tensorflow as tf

        theta = tf.Variable([0.2, 0.4])


        def objective(p):
            return tf.reduce_sum(tf.sin(p))


        grads = None
        for _ in range(2):
            with tf.GradientTape() as tape:
                value = objective(theta)
            grads = tape.gradient(value, theta)
            if grads is None:
                break
            theta -= 0.5 * grads  # cause
        print(grads)
    """),
    Program("overwritten_clip_constraint", "variable-overwritten-by-tensor", """
        import tensorflow as tf

        p = tf.Variable([0.2, 1.4])
        p = tf.clip_by_value(p, 0.0, 1.0)  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(p ** 2)  # cause
        print(tape.gradient(loss, p))
    """),
    Program("overwritten_list_comprehension", "variable-overwritten-by-tensor", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        weights = [tf.Variable(rng.normal(size=(3, 3)).astype("float32")) for _ in range(2)]
        x = rng.normal(size=(4, 3)).astype("float32")


        def forward(ws):
            h = x
            for w in ws:
                h = tf.tanh(h @ w)
            return tf.reduce_mean(h ** 2)


        for epoch in range(2):
            with tf.GradientTape() as tape:
                loss = forward(weights)
            grads = tape.gradient(loss, weights)
            if grads[0] is not None:
                weights = [w - 0.1 * g for w, g in zip(weights, grads)]  # cause
        print(grads)
    """),
    Program("overwritten_loop", "variable-overwritten-by-tensor", """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        x = tf.constant([0.5, 0.25])
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w * x - 1.0) ** 2)
            g = tape.gradient(loss, w)
            if g is None:
                break
            w = w - 0.1 * g  # cause
        print(g)
    """),
    Program("assigned_lstm_state", "variable-assigned-in-tape", """
        import tensorflow as tf


        class Cell:
            def __init__(self, n):
                self.w = tf.Variable(tf.ones([n, n]) * 0.1)
                self.h = tf.Variable(tf.zeros([1, n]), trainable=False)

            def step(self, x):
                self.h.assign(tf.tanh(x + self.h @ self.w))  # cause
                return self.h.read_value()  # cause


        cell = Cell(2)
        with tf.GradientTape() as tape:
            for t in range(3):
                out = cell.step(tf.ones([1, 2]) * 0.1)
            loss = tf.reduce_sum(out ** 2)
        print(tape.gradient(loss, [cell.w]))
    """),
    Program("assigned_update_inside_tape", "variable-assigned-in-tape", """
        import tensorflow as tf

        theta = tf.Variable([0.5, 1.0])
        fast = tf.Variable([0.0, 0.0])
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner_loss = tf.reduce_sum((theta * x - 1.0) ** 2)
            g = inner.gradient(inner_loss, theta)
            fast.assign(theta - 0.1 * g)  # cause
            outer_loss = tf.reduce_sum((fast * x - 2.0) ** 2)
        print(outer.gradient(outer_loss, theta))
    """),
    Program("branch_boolean_flag_method", "branch-not-taken", """
        import tensorflow as tf


        class Block:
            def __init__(self, use_bias=False):
                self.use_bias = use_bias
                self.kernel = tf.Variable(tf.ones([2, 2]))
                self.bias = tf.Variable(tf.zeros([2]))

            def __call__(self, x):
                y = x @ self.kernel
                if self.use_bias:  # cause
                    y += self.bias  # cause
                return y


        block = Block()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(block(tf.ones([1, 2])))
        grads = tape.gradient(loss, [block.kernel, block.bias])
        print(grads)
    """),
    Program("branch_match", "branch-not-taken", """
        import tensorflow as tf

        sigma = tf.Variable(0.5)
        beta = tf.Variable(1.5)
        MODE = "gauss"


        def kernel(d):
            match MODE:  # cause
                case "gauss":
                    return tf.exp(-(d ** 2) / sigma)
                case _:
                    return 1.0 / (1.0 + beta * d)  # cause


        with tf.GradientTape() as tape:
            value = tf.reduce_sum(kernel(tf.constant([0.1, 0.4])))
        print(tape.gradient(value, [sigma, beta]))
    """),
    Program("branch_training_phase_dropout", "branch-not-taken", """
        import numpy as np
        import tensorflow as tf

        params = [tf.Variable(0.3), tf.Variable(0.7)]


        def model(x, training=False):
            y = params[0] * x
            if training:  # cause
                y = y + params[1] * tf.random.normal(x.shape)  # cause
            return y


        x = tf.constant(np.linspace(0, 1, 4).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        print(tape.gradient(loss, params))
    """),
    Program("layer_not_built_attribute", "layer-not-built", """
        import tensorflow as tf


        class Embedding:
            def __init__(self, width):
                self.width = width
                self.weights = []

            def lookup(self, ids, size):
                if not self.weights:
                    self.weights.append(tf.Variable(tf.ones([size, self.width])))
                return tf.gather(self.weights[0], ids)


        class Trainer:
            def __init__(self, layer):
                self.layer = layer
                self.variables = list(layer.weights)  # cause

            def step(self, ids):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(self.layer.lookup(ids, 5) ** 2)
                return tape.gradient(loss, self.variables)  # cause


        print(Trainer(Embedding(2)).step([0, 1]))
    """),
    Program("numpy_list_then_mean", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf

        gamma = tf.Variable(0.9)
        rewards = [1.0, 0.5, 0.25]
        with tf.GradientTape() as tape:
            discounted = []
            running = 0.0
            for r in reversed(rewards):
                running = r + gamma * running
                discounted.insert(0, float(running))  # cause
            returns = tf.convert_to_tensor(discounted)
            objective = tf.reduce_mean(returns)
        print(tape.gradient(objective, gamma))
    """),
    Program("numpy_matplotlib_style", "numpy-conversion", """
        import numpy as np
        import tensorflow as tf


        class VAE:
            def __init__(self):
                rng = np.random.default_rng(0)
                self.enc = tf.Variable(rng.normal(size=(6, 4)).astype("float32"))
                self.dec = tf.Variable(rng.normal(size=(2, 6)).astype("float32"))

            def encode(self, x):
                h = tf.matmul(x, self.enc)
                return h[:, :2], h[:, 2:]

            def sample(self, mean, log_var):
                eps = np.random.default_rng(1).normal(size=mean.shape)
                return (mean.numpy() + np.exp(0.5 * log_var.numpy()) * eps).astype("float32")  # cause

            def loss(self, x):
                mean, log_var = self.encode(x)
                z = self.sample(mean, log_var)
                rebuilt = tf.sigmoid(tf.matmul(z, self.dec))
                return tf.reduce_mean((rebuilt - x) ** 2)


        vae = VAE()
        x = np.random.default_rng(2).random((5, 6)).astype("float32")
        with tf.GradientTape() as tape:
            loss = vae.loss(x)
        print(tape.gradient(loss, [vae.enc, vae.dec]))
    """),
    Program("numpy_running_total", "numpy-conversion", """
        import tensorflow as tf

        w = tf.Variable([0.1, 0.2, 0.3])
        batches = [tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, 0.5, 0.5])]
        total = 0.0
        with tf.GradientTape() as tape:
            for batch in batches:
                error = tf.reduce_sum((w * batch - 1.0) ** 2)
                total += error.numpy()  # cause
            loss = tf.constant(total) / len(batches)
        print(tape.gradient(loss, w))
    """),
    Program("numpy_target_via_np_mean", "target-not-a-tensor", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([[1.0], [2.0]])
        x = np.ones((3, 2), dtype="float32")
        with tf.GradientTape() as tape:
            loss = np.mean((x @ w - 1.0) ** 2)  # cause
        print(tape.gradient(loss, w))  # cause
    """),
    Program("overwritten_helper_function", "variable-overwritten-by-tensor", """
        import tensorflow as tf


        def sgd(params, grads, lr=0.1):
            return [p - lr * g for p, g in zip(params, grads)]  # cause


        params = [tf.Variable([1.0, 2.0]), tf.Variable(0.5)]
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(params[0] ** 2) + params[1] ** 2
            grads = tape.gradient(loss, params)
            if None in grads:
                break
            params = sgd(params, grads)  # cause
        print(grads)
    """),
    Program("rewrap_normalised_weights", "variable-rewrap", """
        import tensorflow as tf

        raw = [tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])]
        x = tf.constant([0.5, 0.5])
        with tf.GradientTape() as tape:
            weights = [tf.Variable(v / tf.norm(v)) for v in raw]  # cause
            loss = tf.add_n([tf.reduce_sum(w * x) ** 2 for w in weights])
        print(tape.gradient(loss, raw))
    """),
    Program("tracked_list_of_dicts", "variable-not-tracked", """
        import tensorflow as tf


        class Stack:
            def __init__(self, sizes):
                self.layers = [{"w": tf.Variable(tf.ones([a, b]) * 0.1)} for a, b in zip(sizes, sizes[1:])]  # cause

            def parameters(self):
                return [v for layer in self.layers for v in layer if isinstance(v, tf.Variable)]  # cause

            def __call__(self, x):
                for layer in self.layers:
                    x = tf.tanh(x @ layer["w"])
                return x


        stack = Stack([3, 4, 1])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(stack(tf.ones([2, 3])) ** 2)
        params = stack.parameters()  # cause
        print(tape.gradient(loss, params))  # cause
    """),
    Program("unused_factory_variables", "source-unused", """
        import tensorflow as tf


        def make(name, value):
            return tf.Variable(value, name=name)


        mean = make("mean", 0.1)
        scale = make("scale", 1.0)  # cause
        x = tf.constant([0.2, 0.4])
        with tf.GradientTape() as tape:
            nll = tf.reduce_sum((x - mean) ** 2)  # cause
        print(tape.gradient(nll, [mean, scale]))  # cause
    """),
    Program("unused_mistyped_layer", "source-unused", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)


        class MLP:
            def __init__(self):
                self.w1 = tf.Variable(rng.normal(size=(4, 4)).astype("float32"), name="w1")
                self.w2 = tf.Variable(rng.normal(size=(4, 4)).astype("float32"), name="w2")  # cause
                self.w3 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"), name="w3")

            @property
            def trainable_variables(self):
                return [self.w1, self.w2, self.w3]

            def __call__(self, x):
                h = tf.nn.tanh(x @ self.w1)
                h = tf.nn.tanh(h @ self.w1)  # cause
                return h @ self.w3


        mlp = MLP()
        x = rng.normal(size=(8, 4)).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(mlp(x) ** 2)
        grads = tape.gradient(loss, mlp.trainable_variables)  # cause
        print([None if g is None else g.shape for g in grads])
    """),
    Program("wrong_list_single", "wrong-variable-list", """
        import tensorflow as tf

        student = tf.Variable([0.1, 0.2], name="student")
        teacher = tf.Variable([0.3, 0.4], name="teacher")
        x = tf.constant([1.0, 1.0])
        with tf.GradientTape() as tape:
            loss = (tf.reduce_sum(student * x) - 1.0) ** 2
        print(tape.gradient(loss, [teacher]))  # cause
    """),
    Program("rewrap_inside_function", "variable-rewrap", """
        import tensorflow as tf

        base = tf.Variable([1.0, 2.0])


        def effective():
            return tf.Variable(base * 0.5)  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(effective() ** 2)
        print(tape.gradient(loss, base))
    """),
    Program("rewrap_mean_shift", "variable-rewrap", """
        import tensorflow as tf


        class Meta:
            def __init__(self):
                self.theta = tf.Variable([0.5, -0.5])

            def adapt(self, x):
                with tf.GradientTape() as inner:
                    loss = tf.reduce_sum((self.theta * x) ** 2)
                g = inner.gradient(loss, self.theta)
                return tf.Variable(self.theta - 0.1 * g, name="fast")  # cause


        meta = Meta()
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as outer:
            fast = meta.adapt(x)
            loss = tf.reduce_sum((fast * x - 1.0) ** 2)
        print(outer.gradient(loss, meta.theta))
    """),
    Program("tracked_register_forgotten", "variable-not-tracked", """
        import tensorflow as tf


        class Module:
            def __init__(self):
                self._parameters = []

            def add(self, value):
                variable = tf.Variable(value)
                self._parameters.append(variable)
                return variable


        class Linear(Module):
            def __init__(self):
                super().__init__()
                self.w = tf.Variable([0.3, 0.4])  # cause

            def __call__(self, x):
                return tf.reduce_sum(self.w * x)


        net = Linear()
        with tf.GradientTape() as tape:
            loss = (net(tf.constant([1.0, 2.0])) - 3.0) ** 2
        print(tape.gradient(loss, net._parameters))  # cause
    """),
    Program("tracked_wrong_filter", "variable-not-tracked", """
        import tensorflow as tf


        class Model:
            def __init__(self):
                self.layers = {"first": tf.Variable([1.0, 2.0]), "second": tf.Variable([0.5, 0.5])}  # cause

            def __call__(self, x):
                return x * self.layers["first"] + self.layers["second"]

            @property
            def variables(self):
                return [v for v in vars(self).values() if isinstance(v, tf.Variable)]  # cause


        model = Model()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.constant([1.0, 2.0])) ** 2)
        grads = tape.gradient(loss, model.variables)  # cause
        print(grads)
    """),
    Program("unused_dict_param", "source-unused", """
        import tensorflow as tf

        params = {
            "amp": tf.Variable(1.0),
            "freq": tf.Variable(2.0),
            "phase": tf.Variable(0.3),  # cause
        }
        t = tf.linspace(0.0, 1.0, 5)
        with tf.GradientTape() as tape:
            wave = params["amp"] * tf.sin(params["freq"] * t + params["freq"])  # cause
            loss = tf.reduce_mean(wave ** 2)
        grads = tape.gradient(loss, params)  # cause
        print(grads)
    """),
    Program("unused_forgotten_bias", "source-unused", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)


        class Dense:
            def __init__(self, n, m):
                self.kernel = tf.Variable(rng.normal(size=(n, m)).astype("float32"))
                self.bias = tf.Variable(tf.zeros([m]))  # cause

            def __call__(self, x):
                return tf.nn.relu(tf.matmul(x, self.kernel))  # cause


        layer = Dense(3, 2)
        x = rng.normal(size=(5, 3)).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer(x) ** 2)
        grads = tape.gradient(loss, [layer.kernel, layer.bias])  # cause
        print(grads)
    """),
    Program("unused_loss_term", "source-unused", """
        import tensorflow as tf

        generator = tf.Variable([0.3, 0.6])
        log_sigma = tf.Variable(0.1)  # cause
        with tf.GradientTape() as tape:
            rebuild = tf.reduce_sum((generator - 1.0) ** 2)
            uncertainty = tf.exp(-log_sigma) * rebuild + log_sigma  # cause
            loss = rebuild  # cause
        print(tape.gradient(loss, [generator, log_sigma]))  # cause
    """),
    Program("unused_overwritten_result", "source-unused", """
        import tensorflow as tf

        w1 = tf.Variable([[0.1, 0.2], [0.3, 0.4]])  # cause
        w2 = tf.Variable([[0.5, 0.6], [0.7, 0.8]])
        x = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ w1)  # cause
            h = tf.tanh(x @ w2)  # cause
            loss = tf.reduce_sum(h ** 2)
        g1, g2 = tape.gradient(loss, [w1, w2])  # cause
        print(g1, g2)
    """),
    Program("wrong_list_discriminator", "wrong-variable-list", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)


        def dense(n, m):
            return tf.Variable(rng.normal(0, 0.3, size=(n, m)).astype("float32"))


        generator = [dense(2, 4), dense(4, 3)]
        discriminator = [dense(3, 4), dense(4, 1)]


        def run(x, layers):
            for w in layers:
                x = tf.tanh(x @ w)
            return x


        real = rng.normal(size=(5, 3)).astype("float32")
        with tf.GradientTape() as tape:
            d_loss = tf.reduce_mean((run(real, discriminator) - 1.0) ** 2)
        grads = tape.gradient(d_loss, generator)  # cause
        print(grads)
    """),
    Program("wrong_list_stale_model", "wrong-variable-list", """
        import tensorflow as tf


        class Model:
            def __init__(self, name):
                self.w = tf.Variable([1.0, 2.0], name=name + "_w")
                self.b = tf.Variable(0.0, name=name + "_b")

            @property
            def trainable_variables(self):
                return [self.w, self.b]

            def __call__(self, x):
                return tf.reduce_sum(self.w * x) + self.b


        model = Model("old")
        parameters = model.trainable_variables  # cause
        model = Model("new")
        with tf.GradientTape() as tape:
            loss = (model(tf.constant([1.0, 1.0])) - 2.0) ** 2
        print(tape.gradient(loss, parameters))  # cause
    """),
]  # fmt: skip
