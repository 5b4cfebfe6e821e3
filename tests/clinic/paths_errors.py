"""Programs that raise."""

from tests.clinic.program import Program

PROGRAMS = [
    Program("custom_count_too_few", "custom-gradient-wrong-count", """
        import tensorflow as tf


        class Ops:
            @staticmethod
            @tf.custom_gradient
            def blend(a, b):
                result = 0.3 * a + 0.7 * b

                def backward(dy):
                    return 0.3 * dy  # cause

                return result, backward


        a = tf.Variable([1.0, 2.0])
        b = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(Ops.blend(a, b) ** 2)
        grads = tape.gradient(loss, [a, b])
        print(grads)
    """),
    Program("custom_count_too_many", "custom-gradient-wrong-count", """
        import tensorflow as tf


        @tf.custom_gradient
        def scaled(x):
            def grad(upstream):
                return upstream * 2.0, upstream  # cause

            return 2.0 * x, grad


        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(scaled(v))
        print(tape.gradient(loss, v))
    """),
    Program("custom_none_for_one", "custom-gradient-wrong-count", """
        import tensorflow as tf


        @tf.custom_gradient
        def attention(query, key):
            score = tf.reduce_sum(query * key)

            def grad(dscore):
                return dscore * key, None  # cause

            return score, grad


        q = tf.Variable([1.0, 0.5])
        k = tf.Variable([0.2, 0.1])
        with tf.GradientTape() as tape:
            s = attention(q, k)
        print(tape.gradient(s, [q, k]))
    """),
    Program("custom_shape_lambda", "custom-gradient-wrong-shape", """
        import tensorflow as tf


        @tf.custom_gradient
        def centre(x):
            return x - tf.reduce_mean(x), lambda dy: tf.reduce_sum(dy)  # cause


        z = tf.Variable([1.0, 2.0, 4.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(centre(z) ** 3)
        print(tape.gradient(loss, z))
    """),
    Program("custom_shape_vector", "custom-gradient-wrong-shape", """
        import tensorflow as tf


        @tf.custom_gradient
        def clipped(x):
            def grad(dy):
                mask = tf.cast(tf.abs(x) < 1.0, tf.float32)
                return tf.reduce_mean(dy * mask, axis=0)  # cause

            return tf.clip_by_value(x, -1.0, 1.0), grad


        w = tf.Variable(tf.ones([4, 3]) * 0.5)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(clipped(w) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("dtype_assign_update", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        lr = tf.constant(np.float64(0.1))  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w ** 2)
        g = tape.gradient(loss, w)
        w.assign_sub(lr * g)  # cause
        print(w)
    """),
    Program("dtype_custom_backward", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        SLOPE = tf.constant(np.array([0.5, 0.25]))


        @tf.custom_gradient
        def gate(x):
            def grad(dy):
                return dy * SLOPE  # cause

            return x * 0.5, grad


        p = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            out = tf.reduce_sum(gate(p))
        print(tape.gradient(out, p))
    """),
    Program("dtype_forward_numpy", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        features = tf.constant(rng.normal(size=(6, 2)))  # cause
        w = tf.Variable([[0.1], [0.2]])
        with tf.GradientTape() as tape:
            out = tf.matmul(features, w)  # cause
            loss = tf.reduce_mean(out)
        print(tape.gradient(loss, w))
    """),
    Program("dtype_int_times_float", "dtype-mismatch", """
        import tensorflow as tf

        counts = tf.constant([1, 2, 3])  # cause
        rate = tf.Variable([0.5, 0.25, 0.125])
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(counts * rate)  # cause
        print(tape.gradient(total, rate))
    """),
    Program("dtype_operator", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        target = tf.convert_to_tensor(np.linspace(0.0, 1.0, 4))  # cause
        w = tf.Variable(tf.ones([4]))


        def residual(w):
            return w * 0.5 - target  # cause


        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(residual(w) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("dtype_output_gradients", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        u = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = u ** 2
        weights = tf.constant(np.array([0.1, 0.2, 0.7]))  # cause
        print(tape.gradient(y, u, weights))  # cause
    """),
    Program("embedding_out_of_range", "index-out-of-range", """
        import tensorflow as tf

        table = tf.Variable(tf.random.normal([10, 4]))
        tokens = tf.constant([[1, 4, 10]])  # cause
        with tf.GradientTape() as tape:
            vectors = tf.nn.embedding_lookup(table, tokens)  # cause
            loss = tf.reduce_sum(vectors)
        print(tape.gradient(loss, table))
    """),
    Program("label_negative", "label-out-of-range", """
        import tensorflow as tf

        logits = tf.Variable(tf.zeros([3, 4]))
        labels = tf.constant([0, -1, 2])  # cause
        with tf.GradientTape() as tape:
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)  # cause
            total = tf.reduce_mean(loss)
        print(tape.gradient(total, logits))
    """),
    Program("label_too_large_function", "label-out-of-range", """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        CLASSES = 5


        class Classifier:
            def __init__(self):
                self.w = tf.Variable(rng.normal(size=(8, CLASSES)).astype("float32"))

            def loss(self, x, labels):
                logits = x @ self.w
                each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)  # cause
                return tf.reduce_mean(each)


        model = Classifier()
        labels = rng.integers(1, CLASSES + 1, size=20)  # cause
        labels[0] = CLASSES
        with tf.GradientTape() as tape:
            loss = model.loss(rng.normal(size=(20, 8)).astype("float32"), labels)
        print(tape.gradient(loss, model.w))
    """),
    Program("numpy_target_array", "target-not-a-tensor", """
        import tensorflow as tf


        def evaluate(w):
            return tf.reduce_mean(w ** 2).numpy()  # cause


        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = evaluate(w)  # cause
        g = tape.gradient(loss, w)  # cause
        print(g)
    """),
    Program("numpy_target_float", "target-not-a-tensor", """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = float(tf.reduce_sum(w ** 2))  # cause
        print(tape.gradient(loss, w))  # cause
    """),
    Program("output_gradients_count", "output-gradients-mismatch", """
        import tensorflow as tf

        a = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = a * 2.0
            z = a * 3.0
        print(tape.gradient([y, z], a, output_gradients=[tf.ones(2)]))  # cause
    """),
    Program("output_gradients_vjp", "output-gradients-mismatch", """
        import tensorflow as tf

        x = tf.Variable(tf.ones([5, 2]))
        with tf.GradientTape(persistent=True) as tape:
            y = tf.reduce_sum(x ** 2, axis=1)
        for i in range(2):
            direction = tf.one_hot(i, 2)  # cause
            row = tape.gradient(y, x, output_gradients=direction)  # cause
            print(row)
    """),
    Program("custom_class_method_shape", "custom-gradient-wrong-shape", """
        import tensorflow as tf


        class Quantizer:
            def __init__(self, levels):
                self.levels = levels

            @tf.custom_gradient
            def __call__(self, x):
                y = tf.round(x * self.levels) / self.levels

                def grad(dy):
                    inside = tf.cast(tf.abs(x) <= 1.0, dy.dtype)
                    return tf.reshape(dy * inside, [-1])  # cause

                return y, grad


        q = Quantizer(4.0)
        w = tf.Variable([[0.2, 0.7], [0.4, 1.2]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(q(w) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("custom_forgot_return", "custom-gradient-wrong-count", """
        import tensorflow as tf


        @tf.custom_gradient
        def relu_like(x):
            mask = tf.cast(x > 0.0, tf.float32)

            def grad(dy):
                result = dy * mask  # cause

            return x * mask, grad


        w = tf.Variable([1.0, -1.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(relu_like(w) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("dtype_concat", "dtype-mismatch", """
        import numpy as np
        import tensorflow as tf

        a = tf.Variable([1.0, 2.0])
        b = tf.constant(np.array([3.0]))  # cause
        with tf.GradientTape() as tape:
            joined = tf.concat([a, b], axis=0)  # cause
            loss = tf.reduce_sum(joined ** 2)
        print(tape.gradient(loss, a))
    """),
    Program("dtype_python_int_tensor", "dtype-mismatch", """
        import tensorflow as tf

        steps = tf.constant([1, 2, 3])  # cause
        w = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            decay = steps * 0.5  # cause
            loss = tf.reduce_sum(w * tf.cast(decay, tf.float32))
        print(tape.gradient(loss, w))
    """),
    Program("target_print_result", "target-not-a-tensor", """
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = print("loss", tf.reduce_sum(w ** 2))  # cause
        print(tape.gradient(loss, w))  # cause
    """),
    Program("target_tuple_with_none", "target-not-a-tensor", """
        import tensorflow as tf

        w = tf.Variable(1.0)


        def losses():
            main = w ** 2
            if main > 100.0:
                return main, main * 0.1
            return main, None  # cause


        with tf.GradientTape() as tape:
            main, extra = losses()  # cause
        print(tape.gradient([main, extra], w))  # cause
    """),
    Program("sparse_clip", "sparse-gradient-arithmetic", """
        import tensorflow as tf

        table = tf.Variable(tf.ones([6, 2]))
        ids = tf.constant([0, 3, 3])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
        grad = tape.gradient(loss, table)
        table.assign_sub(grad * 0.1)  # cause
        print(table)
    """),
    Program("sparse_numpy_norm", "sparse-gradient-arithmetic", """
        import tensorflow as tf

        embeddings = tf.Variable(tf.ones([8, 3]))
        dense = tf.Variable(tf.ones([3, 1]))
        tokens = tf.constant([1, 2, 5])
        with tf.GradientTape() as tape:
            vectors = tf.nn.embedding_lookup(embeddings, tokens)
            loss = tf.reduce_mean(tf.matmul(vectors, dense) ** 2)
        grads = tape.gradient(loss, [embeddings, dense])
        norms = [float(abs(g.numpy()).max()) for g in grads]  # cause
        print(norms)
    """),
    Program("sparse_reshape_index", "sparse-gradient-arithmetic", """
        import tensorflow as tf

        items = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(items, [1, 2]))
        g = tape.gradient(loss, items)
        first = g[0]  # cause
        print(first)
    """),
    Program("tape_never_entered", "tape-never-entered", """
        import tensorflow as tf

        w = tf.Variable(3.0)
        tape = tf.GradientTape()  # cause
        loss = w * w
        print(tape.gradient(loss, w))  # cause
    """),
    Program("tape_never_entered_attribute", "tape-never-entered", """
        import tensorflow as tf


        class Step:
            def __init__(self):
                self.tape = tf.GradientTape(persistent=True)  # cause
                self.w = tf.Variable([1.0, 2.0])

            def run(self):
                loss = tf.reduce_sum(self.w ** 2)
                return self.tape.gradient(loss, self.w)  # cause


        print(Step().run())
    """),
    Program("tape_twice_jacobian_columns", "tape-used-twice", """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as t:  # cause
            y = tf.stack([x[0] * x[1], x[1] * x[2]])
            parts = tf.unstack(y)
        rows = [t.gradient(p, x) for p in parts]  # cause
        print(rows)
    """),
    Program("tape_twice_loop", "tape-used-twice", """
        import tensorflow as tf

        variables = [tf.Variable(1.0), tf.Variable(2.0)]
        with tf.GradientTape() as tape:  # cause
            loss = variables[0] * variables[1]
        for v in variables:
            v.assign_sub(0.1 * tape.gradient(loss, v))  # cause
        print(variables)
    """),
    Program("target_function_not_called", "target-not-a-tensor", """
        import tensorflow as tf

        w = tf.Variable([0.1, 0.2])


        def loss_fn():
            return tf.reduce_sum(w ** 2)


        with tf.GradientTape() as tape:
            loss = loss_fn  # cause
        print(tape.gradient(loss, w))  # cause
    """),
    Program("target_none_missing_return", "target-not-a-tensor", """
        import tensorflow as tf


        class Model:
            def __init__(self):
                self.w = tf.Variable([1.0, 2.0])

            def loss(self, x):
                predicted = tf.reduce_sum(self.w * x)
                error = (predicted - 1.0) ** 2  # cause


        model = Model()
        with tf.GradientTape() as tape:
            value = model.loss(tf.constant([1.0, 1.0]))  # cause
        grads = tape.gradient(value, model.w)  # cause
        print(grads)
    """),
    Program("target_python_number", "target-not-a-tensor", """
        import tensorflow as tf

        w = tf.Variable(2.0)
        total = 0.0
        with tf.GradientTape() as tape:
            for x in (1.0, 2.0):
                total += x * 3.0  # cause
        print(tape.gradient(total, w))  # cause
    """),
]  # fmt: skip
