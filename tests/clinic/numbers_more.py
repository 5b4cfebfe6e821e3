"""More programs with wrong numbers, in other words than those beside them."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "more_ar_sum_batch",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        inputs = rng.normal(size=(1000, 5)).astype("float32")
        targets = inputs.sum(axis=1, keepdims=True)

        class Model(tf.Module):
            def __init__(self):
                self.w = tf.Variable(tf.random.normal([5, 1], stddev=0.1))
                self.b = tf.Variable(tf.zeros([1]))

            def __call__(self, x):
                return x @ self.w + self.b

        model = Model()

        def compute_loss(y_true, y_pred):
            return tf.reduce_sum(tf.square(y_true - y_pred))  # cause

        for epoch in range(40):
            with tf.GradientTape() as tape:
                loss = compute_loss(targets, model(inputs))
            gradients = tape.gradient(loss, model.trainable_variables)
            for v, g in zip(model.trainable_variables, gradients):
                v.assign_sub(0.01 * g)
        print("loss", loss.numpy())
    """,
    ),
    Program(
        "more_nan_via_division_in_loss",
        "zero-divided-by-zero",
        """
        import tensorflow as tf

        true_positive = tf.constant([0.0, 3.0])
        logits = tf.Variable([-100.0, 2.0])
        with tf.GradientTape() as tape:
            predicted = tf.nn.relu(logits)
            precision = true_positive * predicted / (predicted * 5.0)  # cause
            loss = 1.0 - tf.reduce_mean(precision)
        g = tape.gradient(loss, logits)
        print(g)
    """,
    ),
    Program(
        "more_l2norm_rows",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf

        emb = tf.Variable(np.vstack([np.zeros((1, 4)), np.ones((2, 4))]).astype("float32"))
        with tf.GradientTape() as tape:
            lengths = tf.norm(emb, axis=1, keepdims=True)
            unit = emb / lengths  # cause
            sims = tf.matmul(unit, unit, transpose_b=True)
            loss = tf.reduce_sum(sims)
        print(tape.gradient(loss, emb).numpy())
    """,
    ),
    Program(
        "more_softmax_temp",
        "exp-overflow",
        """
        import tensorflow as tf

        q_values = tf.Variable([[1.0, 2.0, 9.5]])
        temperature = 0.1

        def boltzmann(q):
            weights = tf.math.exp(q / temperature)  # cause
            return weights / tf.reduce_sum(weights, axis=-1, keepdims=True)

        with tf.GradientTape() as tape:
            policy = boltzmann(q_values)
            value = tf.reduce_sum(policy * q_values)
        print(tape.gradient(value, q_values))
    """,
    ),
    Program(
        "more_sigmoid_hand_xent",
        "exp-overflow",
        """
        import numpy as np
        import tensorflow as tf

        x = np.array([[120.0, 3.0], [2.0, 1.0]], dtype="float32")
        y = np.array([[0.0], [1.0]], dtype="float32")
        w = tf.Variable([[-1.0], [0.2]])
        with tf.GradientTape() as tape:
            z = tf.matmul(x, w)
            p = 1 / (1 + tf.exp(-z))  # cause
            loss = tf.reduce_mean((y - p) ** 2)
        print(tape.gradient(loss, w).numpy())
    """,
    ),
    Program(
        "more_acos_dot",
        "infinite-slope",
        """
        import tensorflow as tf

        a = tf.Variable([[0.6, 0.8], [1.0, 0.0]])
        b = tf.constant([[0.8, 0.6], [1.0, 0.0]])
        with tf.GradientTape() as tape:
            cos = tf.reduce_sum(a * b, axis=1)
            theta = tf.math.acos(cos)  # cause
            loss = tf.reduce_mean(theta ** 2)
        print(tape.gradient(loss, a))
    """,
    ),
    Program(
        "more_std_zero",
        "infinite-slope",
        """
        import tensorflow as tf

        scale = tf.Variable(1.0)
        returns = tf.constant([0.01, 0.01, 0.01])
        with tf.GradientTape() as tape:
            scaled = returns * scale
            centered = scaled - tf.reduce_mean(scaled)
            vol = tf.sqrt(tf.reduce_mean(centered ** 2))  # cause
            sharpe = tf.reduce_mean(scaled) / (vol + 1e-6)
        print(tape.gradient(sharpe, scale))
    """,
    ),
    Program(
        "more_where_sqrt_pow",
        "where-nan-branch",
        """
        import tensorflow as tf

        depth = tf.Variable([-0.5, 0.2, 1.0])

        def weir(h):
            flow = 1.7 * h ** 1.5  # cause
            return tf.where(h > 0.0, flow, tf.zeros_like(h))

        with tf.GradientTape() as tape:
            total = tf.reduce_sum(weir(depth))
        print(tape.gradient(total, depth))
    """,
    ),
    Program(
        "more_where_acos",
        "where-nan-branch",
        """
        import tensorflow as tf

        x = tf.Variable([0.5, 1.5])
        with tf.GradientTape() as tape:
            inside = tf.abs(x) < 1.0
            angle = tf.where(inside, tf.acos(x), 0.0)  # cause
            loss = tf.reduce_sum(angle)
        print(tape.gradient(loss, x))
    """,
    ),
    Program(
        "more_huber_where_exp",
        "where-nan-branch",
        """
        import tensorflow as tf

        z = tf.Variable([0.3, 200.0])
        with tf.GradientTape() as tape:
            small = tf.exp(z) - 1.0  # cause
            elu = tf.where(z < 0.0, small, z)
            loss = tf.reduce_mean(elu)
        print(tape.gradient(loss, z))
    """,
    ),
    Program(
        "more_masked_loss_log",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf

        probs = tf.Variable([[0.7, 0.3, 0.0], [0.1, 0.9, 0.0]])
        mask = tf.constant([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
        with tf.GradientTape() as tape:
            logp = tf.math.log(probs)  # cause
            entropy = -tf.reduce_sum(mask * probs * logp, axis=-1)
            loss = -tf.reduce_mean(entropy)
        print(tape.gradient(loss, probs))
    """,
    ),
    Program(
        "more_survival",
        "log-of-zero",
        """
        import tensorflow as tf

        hazard = tf.Variable([0.1, 0.2, 1.0])
        with tf.GradientTape() as tape:
            survival = tf.math.cumprod(1.0 - hazard)
            loglik = tf.reduce_sum(tf.math.log(survival))  # cause
        print(tape.gradient(loglik, hazard))
    """,
    ),
    Program(
        "more_seq_mask_all",
        "fully-masked-softmax",
        """
        import numpy as np
        import tensorflow as tf

        lengths = tf.constant([2, 0, 3])
        mask = tf.sequence_mask(lengths, 3)
        h = tf.Variable(np.random.default_rng(0).normal(size=(3, 3, 2)).astype("float32"))
        v = tf.Variable([0.5, -0.5])
        with tf.GradientTape() as tape:
            score = tf.tensordot(h, v, 1)
            neg_inf = tf.fill(tf.shape(score), -np.inf)
            score = tf.where(mask, score, tf.cast(neg_inf, tf.float32))
            alpha = tf.nn.softmax(score, axis=1)  # cause
            ctx = tf.einsum("bt,btd->bd", alpha, h)
            loss = tf.reduce_sum(ctx)
        print(tape.gradient(loss, [h, v]))
    """,
    ),
    Program(
        "more_f16_training",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        x = tf.constant(np.linspace(0, 400, 10).reshape(-1, 1).astype("float16"))
        y = tf.constant((np.linspace(0, 400, 10) * 2).reshape(-1, 1).astype("float16"))
        w = tf.Variable(tf.zeros([1, 1], tf.float16))
        with tf.GradientTape() as tape:
            err = tf.matmul(x, w) - y
            loss = tf.reduce_mean(err ** 2)  # cause
        g = tape.gradient(loss, w)
        print(loss, g)
    """,
    ),
    Program(
        "more_f16_sum",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf

        x = tf.Variable(tf.cast(tf.fill([300], 250.0), tf.float16))
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(x)  # cause
            loss = tf.math.log(total)
        print(loss, tape.gradient(loss, x)[:3])
    """,
    ),
    Program(
        "more_chol_random",
        "singular-matrix",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        samples = rng.normal(size=(3, 5)).astype("float32")
        scale = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            centred = samples - samples.mean(axis=0)
            cov = scale * tf.matmul(centred, centred, transpose_a=True) / 2.0
            L = tf.linalg.cholesky(cov)  # cause
            nll = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))
        print(tape.gradient(nll, scale))
    """,
    ),
    Program(
        "more_inv_singular",
        "singular-matrix",
        """
        import tensorflow as tf

        a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
        b = tf.constant([[1.0], [1.0]])
        with tf.GradientTape() as tape:
            x = tf.linalg.solve(a, b)  # cause
            loss = tf.reduce_sum(x ** 2)
        print(tape.gradient(loss, a))
    """,
    ),
    Program(
        "more_genfromtxt",
        "nan-in-data",
        """
        import io
        import numpy as np
        import tensorflow as tf

        text = "a,b,c\\n1,2,3\\n4,,6\\n7,8,9"
        table = np.genfromtxt(io.StringIO(text), delimiter=",", skip_header=1).astype("float32")
        x = tf.convert_to_tensor(table[:, :2])
        y = tf.convert_to_tensor(table[:, 2:])
        w = tf.Variable(tf.random.normal([2, 1]))
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))  # cause
            w.assign_sub(0.01 * tape.gradient(loss, w))
        print(w.numpy())
    """,
    ),
    Program(
        "more_nan_standardised",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf

        raw = np.array([1.0, np.nan, 3.0, 4.0], dtype="float32")
        x = tf.constant(raw)
        x = (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)  # cause
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * x) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "more_tanh_saturated_gate",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        temps = rng.uniform(280, 310, size=(12, 3)).astype("float32")
        y = rng.uniform(size=(12, 1)).astype("float32")
        w1 = tf.Variable(np.abs(rng.normal(size=(3, 6))).astype("float32"))
        b1 = tf.Variable(tf.zeros(6))
        w2 = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))
        b2 = tf.Variable(tf.zeros(1))
        with tf.GradientTape() as tape:
            h = tf.nn.sigmoid(temps @ w1 + b1)  # cause
            loss = tf.reduce_mean((h @ w2 + b2 - y) ** 2)
        grads = tape.gradient(loss, [w1, b1, w2, b2])
        print([tf.norm(g).numpy() for g in grads])
    """,
    ),
    Program(
        "more_relu_out",
        "saturated-region",
        """
        import tensorflow as tf

        w = tf.Variable([[-1.0], [-2.0]])
        x = tf.constant([[1.0, 1.0], [2.0, 0.5]])
        y = tf.constant([[1.0], [2.0]])
        for i in range(3):
            with tf.GradientTape() as t:
                pred = tf.nn.relu(x @ w)  # cause
                loss = tf.reduce_mean(tf.abs(pred - y))
            w.assign_sub(0.1 * t.gradient(loss, w))
        print(w)
    """,
    ),
    Program(
        "more_clip_ratio",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf

        logp_old = tf.constant([-2.0, -1.5, -3.0])
        adv = tf.constant([1.0, 0.5, 2.0])
        logits = tf.Variable([0.5, 0.2, 0.1])
        with tf.GradientTape() as tape:
            ratio = tf.exp(logits - logp_old)
            clipped = tf.clip_by_value(ratio, 0.8, 1.2)  # cause
            loss = -tf.reduce_mean(clipped * adv)
        print(tape.gradient(loss, logits))
    """,
    ),
    Program(
        "more_hinge_dead_maximum",
        "saturated-region",
        """
        import tensorflow as tf

        theta = tf.Variable([-4.0, -5.0])
        with tf.GradientTape() as tape:
            stock = tf.maximum(theta + 1.0, 0.0)  # cause
            cost = tf.reduce_sum(3.0 - stock)
        print(tape.gradient(cost, theta))
    """,
    ),
    Program(
        "more_pinn_abs",
        "piecewise-linear-second-derivative",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        weights = [tf.Variable(rng.normal(size=s).astype("float32")) for s in [(1, 10), (10, 10), (10, 1)]]

        def net(x):
            h = x
            for w in weights[:-1]:
                h = tf.nn.relu(h @ w)  # cause
            return h @ weights[-1]

        x = tf.Variable(np.linspace(0.1, 1, 8).reshape(-1, 1).astype("float32"))
        with tf.GradientTape(persistent=True) as tape:
            with tf.GradientTape() as inner:
                u = net(x)
            du = inner.gradient(u, x)
        d2u = tape.gradient(du, x)
        print(d2u.numpy().ravel())
    """,
    ),
    Program(
        "more_py_func_scipy",
        "python-callback-opaque",
        """
        import numpy as np
        import tensorflow as tf

        def solve(a):
            a = np.asarray(a)  # cause
            return np.linalg.solve(a, np.ones(2)).astype("float32")

        a = tf.Variable([[2.0, 0.0], [0.0, 3.0]])
        with tf.GradientTape() as tape:
            x = tf.py_function(solve, [a], tf.float32)  # cause
            loss = tf.reduce_sum(x)
        print(tape.gradient(loss, a))
    """,
    ),
    Program(
        "more_labels_T",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        X = rng.normal(size=(20, 2)).astype("float32")
        Y = (X @ np.array([[2.0], [1.0]])).T.astype("float32")
        w = tf.Variable(tf.zeros([2, 1]))
        for step in range(10):
            with tf.GradientTape() as tape:
                residual = X @ w - Y  # cause
                loss = tf.reduce_sum(residual ** 2) / 20.0
            w.assign_sub(0.05 * tape.gradient(loss, w))
        print(w)
    """,
    ),
    Program(
        "more_sample_weight_col",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        logits = tf.Variable(rng.normal(size=(8, 3)).astype("float32"))
        labels = rng.integers(0, 3, size=8)
        weights = tf.constant(rng.uniform(size=(8, 1)).astype("float32"))
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            loss = tf.reduce_mean(ce * weights)  # cause
        print(tape.gradient(loss, logits))
    """,
    ),
    Program(
        "more_target_q_shape",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        state = rng.normal(size=(16, 4)).astype("float32")
        reward = rng.normal(size=(16,)).astype("float32")
        critic = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
        target_value = tf.constant(rng.normal(size=(16, 1)).astype("float32"))
        target = reward + 0.99 * target_value  # cause
        with tf.GradientTape() as tape:
            value = tf.squeeze(state @ critic, axis=1)
            loss = tf.reduce_mean((value - target) ** 2)
        print(tape.gradient(loss, critic).numpy())
    """,
    ),
    Program(
        "more_huber_broadcast",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf

        pred_w = tf.Variable([[0.2], [0.4]])
        x = np.random.default_rng(0).normal(size=(6, 2)).astype("float32")
        y = tf.constant(np.arange(6.0), dtype=tf.float32)

        def huber(y_true, y_pred, delta=1.0):
            error = y_true - y_pred  # cause
            small = tf.abs(error) <= delta
            return tf.where(small, 0.5 * error ** 2, delta * (tf.abs(error) - 0.5 * delta))

        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(huber(y, x @ pred_w))
        print(tape.gradient(loss, pred_w))
    """,
    ),
    Program(
        "more_double_softmax_fn",
        "double-softmax",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        W1 = tf.Variable(rng.normal(size=(4, 8)).astype("float32"))
        W2 = tf.Variable(rng.normal(size=(8, 3)).astype("float32"))

        def forward(x):
            h = tf.nn.relu(x @ W1)
            return tf.nn.softmax(h @ W2)  # cause

        x = rng.normal(size=(10, 4)).astype("float32")
        y = tf.one_hot(rng.integers(0, 3, 10), 3)
        with tf.GradientTape() as tape:
            probs = forward(x)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, probs))  # cause
        print(tape.gradient(loss, [W1, W2]))
    """,
    ),
    Program(
        "more_grad_no_upstream",
        "custom-gradient-ignores-upstream",
        """
        import tensorflow as tf

        @tf.custom_gradient
        def quantise(w):
            step = 0.1
            q = tf.round(w / step) * step
            def grad(dq):
                inside = tf.cast(tf.abs(w) < 1.0, tf.float32)
                return inside  # cause
            return q, grad

        w = tf.Variable([0.33, -0.71, 1.8])
        x = tf.constant([[1.0, 2.0, 3.0], [0.5, 0.1, 0.2]])
        with tf.GradientTape() as tape:
            y = tf.linalg.matvec(x, quantise(w))
            loss = tf.reduce_mean((y - 1.0) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "more_svd_ident",
        "degenerate-eigenvectors",
        """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable(np.eye(3).astype("float32") * 0.5)
        with tf.GradientTape() as tape:
            s, u, v = tf.linalg.svd(w)  # cause
            low = tf.matmul(u[:, :2] * s[:2], v[:, :2], transpose_b=True)
            loss = tf.reduce_sum((low - 1.0) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "more_jac_wanted",
        "non-scalar-target-summed",
        """
        import tensorflow as tf

        x = tf.Variable([0.1, 0.5, 0.4])
        with tf.GradientTape() as tape:
            logits = tf.stack([x[0] * x[1], x[1] ** 2, x[2]])
            probs = tf.nn.softmax(logits)  # cause
            out = tf.identity(probs)
        jacobian = tape.gradient(out, x)  # cause
        print(jacobian)
    """,
    ),
    Program(
        "more_grad_pen_outside",
        "derivative-not-recorded",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        x = tf.constant(rng.normal(size=(5, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(5, 1)).astype("float32"))

        def model(x):
            return tf.nn.softplus(x @ w)

        def input_gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                out = model(x)
            return tape.gradient(out, x)

        smoothness = tf.reduce_mean(input_gradient(x) ** 2)  # cause
        with tf.GradientTape() as tape:
            mse = tf.reduce_mean((model(x) - y) ** 2)
            loss = mse + 0.1 * smoothness
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "more_momentum_state",
        "variable-assigned-in-tape",
        """
        import tensorflow as tf

        gain = tf.Variable(0.5)
        memory = tf.Variable([0.0, 0.0], trainable=False)
        xs = tf.constant([[1.0, 2.0], [0.5, 1.0], [2.0, 0.1]])
        with tf.GradientTape() as tape:
            out = tf.zeros(2)
            for x in xs:
                memory.assign(gain * memory + x)  # cause
                out = out + gain * memory
            loss = tf.reduce_sum(out ** 2)
        print(tape.gradient(loss, gain))
    """,
    ),
    Program(
        "more_softmax_axis1_attention",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        q = tf.Variable(rng.normal(size=(2, 4, 8)).astype("float32"))
        k = tf.constant(rng.normal(size=(2, 6, 8)).astype("float32"))
        v = tf.constant(rng.normal(size=(2, 6, 8)).astype("float32"))
        with tf.GradientTape() as tape:
            scores = tf.matmul(q, k, transpose_b=True) / 8.0 ** 0.5
            weights = tf.nn.softmax(scores, axis=1)  # cause
            out = tf.matmul(weights, v)
            loss = tf.reduce_mean(out ** 2)
        print(tape.gradient(loss, q))
    """,
    ),
    Program(
        "more_softmax_axis0_xent",
        "wrong-axis",
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        x = rng.normal(size=(12, 5)).astype("float32")
        onehot = np.eye(4, dtype="float32")[rng.integers(0, 4, 12)]
        w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))
        b = tf.Variable(tf.zeros(4))
        for _ in range(5):
            with tf.GradientTape() as tape:
                p = tf.nn.softmax(x @ w + b, axis=0)  # cause
                loss = tf.reduce_mean(-tf.reduce_sum(onehot * tf.math.log(p), axis=1))
            gw, gb = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * gw); b.assign_sub(0.1 * gb)
        print(loss)
    """,
    ),
    Program(
        "also_norm_loss",
        "infinite-slope",
        """
        import tensorflow as tf

        class Embedder(tf.Module):
            def __init__(self):
                self.table = tf.Variable([[0.1, 0.2], [0.1, 0.2], [0.5, 0.9]])

            def distance(self, i, j):
                a = tf.gather(self.table, i)
                b = tf.gather(self.table, j)
                return tf.norm(a - b, axis=-1)  # cause

        model = Embedder()
        with tf.GradientTape() as tape:
            d = model.distance([0, 1], [1, 2])
            loss = tf.reduce_mean(tf.square(d - 1.0))
        g = tape.gradient(loss, model.table)
        print(tf.convert_to_tensor(g))
    """,
    ),
    Program(
        "also_log_softmax_manual",
        "log-of-zero",
        """
        import numpy as np
        import tensorflow as tf
        w = tf.Variable(np.full((3, 2), 30.0, dtype="float32") * np.array([1.0, -1.0], dtype="float32"))
        x = tf.constant([[1.0, 1.0, 1.0]])
        labels = tf.constant([1])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(x @ w)
            picked = tf.gather(p, labels, axis=1, batch_dims=0)
            loss = -tf.reduce_mean(tf.math.log(picked))  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "also_kl_gaussian",
        "log-of-zero",
        """
        import tensorflow as tf
        sigma = tf.Variable([1.0, 0.0])
        with tf.GradientTape() as tape:
            kl = 0.5 * tf.reduce_sum(sigma ** 2 - 1.0 - tf.math.log(sigma ** 2))  # cause
        print(tape.gradient(kl, sigma))
    """,
    ),
    Program(
        "also_batchnorm_const",
        "zero-divided-by-zero",
        """
        import numpy as np
        import tensorflow as tf
        x = np.ones((6, 3), dtype="float32")
        gamma = tf.Variable(tf.ones(3))
        with tf.GradientTape() as tape:
            mean, var = tf.nn.moments(tf.constant(x), axes=[0])
            normed = gamma * (x - mean) / tf.sqrt(var)  # cause
            loss = tf.reduce_sum(normed)
        print(tape.gradient(loss, gamma))
    """,
    ),
    Program(
        "also_importance",
        "zero-divided-by-zero",
        """
        import tensorflow as tf
        logw = tf.Variable([-200.0, -300.0, -250.0])
        values = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            w = tf.exp(logw)
            estimate = tf.reduce_sum(w * values) / tf.reduce_sum(w)  # cause
        print(tape.gradient(estimate, logw))
    """,
    ),
    Program(
        "also_growth",
        "exp-overflow",
        """
        import tensorflow as tf
        rate = tf.Variable(9.0)
        days = tf.range(0.0, 12.0)
        cases = tf.constant([1.0] * 12)
        with tf.GradientTape() as tape:
            curve = tf.exp(rate * days)  # cause
            loss = tf.reduce_mean((tf.math.log(curve) - cases) ** 2)
        print(tape.gradient(loss, rate))
    """,
    ),
    Program(
        "also_lse",
        "exp-overflow",
        """
        import tensorflow as tf
        scores = tf.Variable([[50.0, 100.0], [2.0, 1.0]])
        gold = tf.constant([0, 1])
        with tf.GradientTape() as tape:
            log_z = tf.math.log(tf.reduce_sum(tf.exp(scores), axis=1))  # cause
            picked = tf.gather(scores, gold, axis=1, batch_dims=1)
            loss = tf.reduce_mean(log_z - picked)
        print(tape.gradient(loss, scores))
    """,
    ),
    Program(
        "also_train_where",
        "where-nan-branch",
        """
        import numpy as np
        import tensorflow as tf
        income = np.array([0.0, 10.0, 20.0], dtype="float32")
        gamma = tf.Variable(0.5)
        shift = tf.Variable(0.0)
        for step in range(3):
            with tf.GradientTape() as tape:
                base = income + shift
                utility = tf.where(base > 0.0, tf.pow(base, 1.0 - gamma) / (1.0 - gamma), 0.0)  # cause
                loss = -tf.reduce_mean(utility)
            gs = tape.gradient(loss, [gamma, shift])
        print(gs)
    """,
    ),
    Program(
        "also_loss_scale_mlp",
        "loss-scales-with-batch",
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(2)
        x = tf.constant(rng.normal(size=(800, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(800, 1)).astype("float32"))
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        velocity = tf.Variable(tf.zeros([3, 1]), trainable=False)
        lr = 0.005
        for epoch in range(100):
            with tf.GradientTape() as tape:
                loss = 0.5 * tf.reduce_sum((x @ w - y) ** 2)  # cause
            g = tape.gradient(loss, w)
            velocity.assign(0.9 * velocity - lr * g)
            w.assign_add(velocity)
        print(w.numpy())
    """,
    ),
    Program(
        "also_half_model",
        "half-precision-range",
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        x = tf.constant(rng.uniform(100, 300, size=(4, 64)), tf.float16)
        w = tf.Variable(tf.cast(tf.fill([64, 1], 5.0), tf.float16))
        with tf.GradientTape() as tape:
            out = tf.matmul(x, w)  # cause
            loss = tf.reduce_mean(tf.cast(out, tf.float32) ** 2)
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "also_dead_conv",
        "saturated-region",
        """
        import numpy as np
        import tensorflow as tf
        img = np.random.default_rng(0).random((2, 6, 6, 1)).astype("float32")
        k = tf.Variable(-np.ones((3, 3, 1, 2), dtype="float32"))
        d = tf.Variable(np.random.default_rng(1).normal(size=(2, 1)).astype("float32"))
        y = tf.constant([[1.0], [0.0]])
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.nn.conv2d(img, k, 1, "SAME"))  # cause
            pooled = tf.reduce_mean(h, axis=[1, 2])
            loss = tf.reduce_mean((pooled @ d - y) ** 2)
        print(tape.gradient(loss, [k, d]))
    """,
    ),
    Program(
        "also_one_class_sparse",
        "softmax-over-one-class",
        """
        import numpy as np
        import tensorflow as tf
        x = np.random.default_rng(0).normal(size=(5, 3)).astype("float32")
        labels = np.zeros(5, dtype="int32")
        w = tf.Variable(np.random.default_rng(1).normal(size=(3, 1)).astype("float32"))
        with tf.GradientTape() as tape:
            logits = x @ w
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))  # cause
        print(tape.gradient(loss, w))
    """,
    ),
    Program(
        "also_nan_label_batch",
        "nan-in-data",
        """
        import numpy as np
        import tensorflow as tf
        rng = np.random.default_rng(0)
        x = rng.normal(size=(8, 2)).astype("float32")
        y = rng.normal(size=(8,)).astype("float32"); y[5] = np.nan
        w = tf.Variable([0.0, 0.0]); b = tf.Variable(0.0)
        def step(xb, yb):
            with tf.GradientTape() as tape:
                err = tf.linalg.matvec(xb, w) + b - yb  # cause
                loss = tf.reduce_mean(err ** 2)
            gw, gb = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * gw); b.assign_sub(0.1 * gb)
            return loss
        for i in range(0, 8, 2):
            step(x[i:i+2], y[i:i+2])
        print(w.numpy())
    """,
    ),
    Program(
        "also_broadcast_time",
        "silent-broadcast",
        """
        import numpy as np
        import tensorflow as tf
        t = np.linspace(0, 1, 25).astype("float32").reshape(-1, 1)
        observed = np.exp(-2 * t).ravel()
        rate = tf.Variable(1.0)
        for i in range(20):
            with tf.GradientTape() as tape:
                curve = tf.exp(-rate * t)
                loss = tf.reduce_mean(tf.math.squared_difference(curve, observed))  # cause
            rate.assign_sub(0.5 * tape.gradient(loss, rate))
        print(rate)
    """,
    ),
    Program(
        "also_outside_norm",
        "computed-outside-tape",
        """
        import numpy as np
        import tensorflow as tf
        w1 = tf.Variable(np.random.default_rng(0).normal(size=(3, 3)).astype("float32"))
        w2 = tf.Variable(np.random.default_rng(1).normal(size=(3, 1)).astype("float32"))
        x = np.random.default_rng(2).normal(size=(6, 3)).astype("float32")

        def regularisation():
            return 0.01 * (tf.nn.l2_loss(w1) + tf.nn.l2_loss(w2))

        reg = regularisation()  # cause
        for step in range(5):
            with tf.GradientTape() as tape:
                out = tf.tanh(x @ w1) @ w2
                loss = tf.reduce_mean(out ** 2) + reg
            for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
                v.assign_sub(0.1 * g)
        print(loss)
    """,
    ),
]
