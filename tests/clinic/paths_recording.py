"""Programs in which the tape did not record what was meant."""

from tests.clinic.program import Program

PROGRAMS = [
    Program("copy_convert_numpy", "source-is-a-copy", """
        import tensorflow as tf

        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x ** 3)
        again = tf.constant([1.0, 2.0])  # cause
        print(tape.gradient(y, again))  # cause
    """),
    Program("copy_identity", "source-is-a-copy", """
        import tensorflow as tf

        image = tf.constant([[0.1, 0.2], [0.3, 0.4]])
        with tf.GradientTape() as tape:
            tape.watch(image)
            copy = tf.identity(image)  # cause
            score = tf.reduce_sum(image ** 2)  # cause
        print(tape.gradient(score, copy))  # cause
    """),
    Program("copy_second_pass", "source-is-a-copy", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)


        class Net:
            def __init__(self):
                self.w1 = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
                self.w2 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))

            def features(self, x):
                return tf.tanh(tf.matmul(x, self.w1))

            def predict(self, x):
                return tf.matmul(self.features(x), self.w2)


        net = Net()
        x = tf.constant(rng.normal(size=(2, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            hidden = net.features(x)  # cause
            out = net.predict(x)  # cause
        saliency = tape.gradient(out, hidden)  # cause
        print(saliency)
    """),
    Program("copy_slice", "source-is-a-copy", """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0, 3.0, 4.0])
        with tf.GradientTape() as tape:
            head = x[:2]  # cause
            loss = tf.reduce_sum(x ** 2)  # cause
        print(tape.gradient(loss, head))  # cause
    """),
    Program("copy_slice_outside", "source-is-a-copy", """
        import tensorflow as tf

        weights = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        row = weights[0]  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(weights))  # cause
        print(tape.gradient(loss, row))  # cause
    """),
    Program("derivative_none", "derivative-not-recorded", """
        import tensorflow as tf

        x = tf.Variable(1.5)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3
        dy = inner.gradient(y, x)  # cause
        d2y = outer.gradient(dy, x)  # cause
        print(d2y)
    """),
    Program("derivative_pinn_method", "derivative-not-recorded", """
        import numpy as np
        import tensorflow as tf


        class Field:
            def __init__(self):
                self.a = tf.Variable(0.7)

            def u(self, t):
                return tf.sin(self.a * t)

            def slope(self, t):
                with tf.GradientTape() as tape:
                    tape.watch(t)
                    value = self.u(t)
                return tape.gradient(value, t)  # cause


        field = Field()
        t = tf.constant(np.linspace(0, 1, 5).astype("float32"))
        du = field.slope(t)  # cause
        with tf.GradientTape() as tape:
            residual = tf.reduce_mean((du - 1.0) ** 2)
        print(tape.gradient(residual, field.a))
    """),
    Program("off_trainable_false", "recording-switched-off", """
        import tensorflow as tf


        class Encoder:
            def __init__(self, frozen=True):
                self.w = tf.Variable(tf.ones([2, 2]), trainable=not frozen)  # cause
                self.b = tf.Variable(tf.zeros([2]))

            def __call__(self, x):
                return x @ self.w + self.b


        encoder = Encoder()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(encoder(tf.ones([1, 2])) ** 2)
        print(tape.gradient(loss, [encoder.w, encoder.b]))  # cause
    """),
    Program("off_watch_accessed", "recording-switched-off", """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        b = tf.Variable(0.5)
        with tf.GradientTape(watch_accessed_variables=False) as tape:  # cause
            tape.watch(w)
            loss = tf.reduce_sum(w ** 2) + b ** 2
        print(tape.gradient(loss, [w, b]))
    """),
    Program("off_watch_accessed_method", "recording-switched-off", """
        import tensorflow as tf


        class Trainer:
            def __init__(self):
                self.params = [tf.Variable(1.0), tf.Variable(2.0)]

            def loss(self):
                a, b = self.params
                return (a * b - 3.0) ** 2

            def step(self):
                with tf.GradientTape(watch_accessed_variables=False) as tape:  # cause
                    loss = self.loss()
                return tape.gradient(loss, self.params)


        print(Trainer().step())
    """),
    Program("outside_after_block", "computed-outside-tape", """
        import tensorflow as tf

        theta = tf.Variable([0.3, -0.2, 0.8])
        data = tf.constant([1.0, 2.0, 3.0])

        with tf.GradientTape() as tape:
            predicted = theta * data

        residual = predicted - 1.0  # cause
        loss = tf.reduce_mean(residual ** 2)  # cause
        print(tape.gradient(loss, theta))
    """),
    Program("outside_features", "computed-outside-tape", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        x = rng.normal(size=(10, 3)).astype("float32")
        y = rng.normal(size=(10, 1)).astype("float32")
        w1 = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
        w2 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))

        hidden = tf.tanh(tf.matmul(x, w1))  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(hidden, w2) - y) ** 2)
        g1, g2 = tape.gradient(loss, [w1, w2])
        print(g1, g2)
    """),
    Program("outside_generator", "computed-outside-tape", """
        import tensorflow as tf

        scale = tf.Variable(2.0)


        def batches():
            for i in range(2):
                yield scale * tf.fill([3], float(i + 1))  # cause


        for batch in batches():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(batch ** 2)
            print(tape.gradient(loss, scale))
    """),
    Program("outside_stop_recording", "computed-outside-tape", """
        import tensorflow as tf

        mu = tf.Variable([0.1, 0.4])
        with tf.GradientTape() as tape:
            with tape.stop_recording():  # cause
                centred = mu - tf.reduce_mean(mu)  # cause
            loss = tf.reduce_sum(centred ** 2)
        print(tape.gradient(loss, mu))
    """),
    Program("outside_whole_loss", "computed-outside-tape", """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])


        def compute_loss():
            return tf.reduce_sum(w ** 2)


        loss = compute_loss()  # cause
        with tf.GradientTape() as tape:  # cause
            pass
        print(tape.gradient(loss, w))
    """),
    Program("copy_cast", "source-is-a-copy", """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            x64 = tf.cast(x, tf.float64)  # cause
            y = tf.reduce_sum(x ** 2)  # cause
        print(tape.gradient(y, x64))  # cause
    """),
    Program("copy_detached_input", "source-is-a-copy", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([[0.5], [0.25]])


        def f(x):
            x = tf.convert_to_tensor(x)
            return tf.reduce_sum(tf.tanh(x @ w))


        data = np.ones((3, 2), dtype="float32")
        inputs = tf.constant(data)  # cause
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            out = f(data)  # cause
        print(tape.gradient(out, inputs))  # cause
    """),
    Program("copy_slice_in_call", "source-is-a-copy", """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 2)
        print(tape.gradient(y, x[0]))  # cause
    """),
    Program("copy_unstack_loop", "source-is-a-copy", """
        import tensorflow as tf

        points = tf.Variable([[0.0, 1.0], [2.0, 3.0]])
        with tf.GradientTape() as tape:
            parts = tf.unstack(points)  # cause
            energy = tf.reduce_sum(points ** 2)  # cause
        forces = [tape.gradient(energy, parts)]  # cause
        print(forces)
    """),
    Program("derivative_hessian_vector", "derivative-not-recorded", """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0])


        def grad_of(f):
            with tf.GradientTape() as tape:
                value = f(x)
            return tape.gradient(value, x)  # cause


        g = grad_of(lambda v: tf.reduce_sum(v ** 3))  # cause
        with tf.GradientTape() as outer:
            product = tf.reduce_sum(g * tf.constant([1.0, 0.5]))
        print(outer.gradient(product, x))
    """),
    Program("off_frozen_in_loop", "recording-switched-off", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        layers = []
        for i, (n, m) in enumerate([(3, 4), (4, 4), (4, 1)]):
            layers.append(tf.Variable(rng.normal(size=(n, m)).astype("float32"), trainable=i > 0))  # cause

        x = rng.normal(size=(5, 3)).astype("float32")
        with tf.GradientTape() as tape:
            h = x
            for w in layers:
                h = tf.tanh(h @ w)
            loss = tf.reduce_mean(h ** 2)
        print([g is None for g in tape.gradient(loss, layers)])  # cause
    """),
    Program("outside_in_init", "computed-outside-tape", """
        import tensorflow as tf


        class Model:
            def __init__(self):
                self.raw = tf.Variable([0.5, -0.5])
                self.scale = tf.nn.softplus(self.raw)  # cause

            def loss(self, x):
                return tf.reduce_sum((self.scale * x - 1.0) ** 2)


        model = Model()
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = model.loss(tf.constant([1.0, 2.0]))
            g = tape.gradient(loss, model.raw)
        print(g)
    """),
    Program("outside_lambda", "computed-outside-tape", """
        import tensorflow as tf

        a = tf.Variable(2.0)
        square = lambda: a ** 2
        cached = square()  # cause
        with tf.GradientTape() as tape:
            loss = cached * 3.0
        print(tape.gradient(loss, a))
    """),
    Program("outside_thread", "computed-outside-tape", """
        import threading

        import tensorflow as tf

        w = tf.Variable(2.0)
        results = []


        def worker():
            results.append(w ** 2)  # cause


        with tf.GradientTape() as tape:
            thread = threading.Thread(target=worker)
            thread.start()
            thread.join()
            loss = results[0] * 3.0
        print(tape.gradient(loss, w))
    """),
    Program("watch_numpy_input", "source-not-watched", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(np.ones((3, 1), dtype="float32"))
        image = tf.convert_to_tensor(np.ones((2, 3), dtype="float32"))


        def classifier(x):
            return tf.nn.sigmoid(tf.matmul(x, w))


        with tf.GradientTape() as tape:  # cause
            prediction = classifier(image)  # cause
            loss = tf.reduce_mean(-tf.math.log(prediction))
        perturbation = tf.sign(tape.gradient(loss, image))  # cause
        print(perturbation)
    """),
    Program("watch_never", "source-not-watched", """
        import tensorflow as tf

        inputs = tf.constant([[0.5, -0.5]])
        w = tf.Variable([[1.0], [2.0]])
        with tf.GradientTape() as tape:
            score = tf.matmul(inputs, w)  # cause
        saliency = tape.gradient(score, inputs)  # cause
        print(saliency)
    """),
    Program("watch_never_saliency_helper", "source-not-watched", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(np.ones((4, 1), dtype="float32"))


        def model(x):
            return tf.sigmoid(x @ w)


        def saliency(x):
            x = tf.convert_to_tensor(x)
            with tf.GradientTape() as tape:  # cause
                p = model(x)  # cause
            return tape.gradient(p, x)  # cause


        print(saliency(np.ones((2, 4), dtype="float32")))
    """),
    Program("watch_outer_forgotten", "source-not-watched", """
        import tensorflow as tf

        x = tf.constant([0.5, 1.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(x ** 3)  # cause
            g = inner.gradient(y, x)
        print(outer.gradient(g, x))  # cause
    """),
    Program("watch_too_late", "source-not-watched", """
        import tensorflow as tf

        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3  # cause
            tape.watch(x)  # cause
        print(tape.gradient(y, x))
    """),
    Program("watch_wrong_tensor", "source-not-watched", """
        import tensorflow as tf

        a = tf.constant([1.0, 2.0])
        b = tf.constant([3.0, 4.0])
        with tf.GradientTape() as tape:
            tape.watch(a)  # cause
            y = tf.reduce_sum(a * b)  # cause
        print(tape.gradient(y, b))  # cause
    """),
]  # fmt: skip
