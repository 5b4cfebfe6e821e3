"""Programs in which nothing is wrong, though gradients, NumPy and variables are mixed in ways that often are."""

from tests.clinic.program import Program

PROGRAMS = [
    Program("accumulation", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
        total = [tf.Variable(tf.zeros_like(w), trainable=False)]
        for micro in range(4):
            x = rng.normal(size=(8, 4)).astype("float32")
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w) ** 2) / 4.0
            total[0].assign_add(tape.gradient(loss, w))
        w.assign_sub(0.1 * total[0])
        print(w.numpy())
    """),
    Program("adversarial_example", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
        x = tf.constant(rng.normal(size=(2, 4)).astype("float32"))
        for _ in range(2):
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([2, 1]), logits=x @ w))
            x = tf.clip_by_value(x + 0.1 * tf.sign(tape.gradient(loss, x)), -3.0, 3.0)
        print(x.numpy())
    """),
    Program("baseline_reward", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        theta = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        states = rng.normal(size=(12, 3)).astype("float32")
        actions = rng.integers(0, 2, size=12)
        with tf.GradientTape() as tape:
            log_p = tf.nn.log_softmax(states @ theta)
            picked = tf.gather(log_p, actions, batch_dims=1)
            returns = np.where(actions == 1, 1.0, 0.2).astype("float32")
            baseline = float(tf.reduce_mean(returns))
            weights = np.exp(picked.numpy()).mean()
            loss = -tf.reduce_mean(picked * (returns - baseline)) * weights
        theta.assign_sub(0.1 * tape.gradient(loss, theta))
        print(theta.numpy())
    """),
    Program("curriculum_branch", None, """
        import tensorflow as tf

        w = tf.Variable(1.0)
        extra = tf.Variable(0.5)
        for epoch in range(4):
            variables = [w, extra] if epoch >= 2 else [w]
            with tf.GradientTape() as tape:
                loss = (w - 2.0) ** 2
                if epoch >= 2:
                    loss += (extra - w) ** 2
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print(w.numpy(), extra.numpy())
    """),
    Program("custom_gradient", None, """
        import tensorflow as tf


        @tf.custom_gradient
        def clip_gradient(x):
            def grad(dy):
                return tf.clip_by_value(dy, -0.1, 0.1)

            return tf.identity(x), grad


        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(clip_gradient(w) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("ema_and_schedule", None, """
        import tensorflow as tf

        w = tf.Variable([1.0, -1.0])
        ema = tf.Variable(w.numpy(), trainable=False)
        rate = tf.Variable(0.1, trainable=False)
        step = tf.Variable(0, trainable=False, dtype=tf.int64)
        for i in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w - 3.0) ** 2)
            g = tape.gradient(loss, w)
            w.assign_sub(rate * g)
            ema.assign(0.9 * ema + 0.1 * w)
            step.assign_add(1)
            rate.assign(rate * 0.9)
        print(ema.numpy(), int(step))
    """),
    Program("embedding", None, """
        import tensorflow as tf

        table = tf.Variable(tf.random.normal([10, 3]))
        ids = tf.constant([1, 2, 2])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)
        g = tape.gradient(loss, table)
        table.scatter_sub(g)
        dense = tf.convert_to_tensor(g)
        print(tf.norm(dense).numpy())
    """),
    Program("float_hyperparameter", None, """
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0])
        scale = float(tf.reduce_max(w))
        mean = w.numpy().mean()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(((w - mean) / scale) ** 2)
        print(tape.gradient(loss, w))
    """),
    Program("gan", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        tf.random.set_seed(0)


        class Net:
            def __init__(self, sizes):
                self.weights = [tf.Variable(rng.normal(0, 0.4, size=s).astype("float32")) for s in zip(sizes, sizes[1:])]

            def __call__(self, x):
                for w in self.weights[:-1]:
                    x = tf.nn.leaky_relu(x @ w)
                return x @ self.weights[-1]


        g, d = Net([2, 8, 3]), Net([3, 8, 1])
        bce = tf.nn.sigmoid_cross_entropy_with_logits
        for step in range(2):
            real = rng.normal(size=(6, 3)).astype("float32")
            noise = tf.random.normal([6, 2])
            with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
                fake = g(noise)
                d_fake, d_real = d(fake), d(real)
                g_loss = tf.reduce_mean(bce(labels=tf.ones_like(d_fake), logits=d_fake))
                d_loss = tf.reduce_mean(bce(labels=tf.ones_like(d_real), logits=d_real)) + tf.reduce_mean(
                    bce(labels=tf.zeros_like(d_fake), logits=d_fake)
                )
            for net, tape, loss in ((g, g_tape, g_loss), (d, d_tape, d_loss)):
                for v, grad in zip(net.weights, tape.gradient(loss, net.weights)):
                    v.assign_sub(0.05 * grad)
        print(float(g_loss), float(d_loss))
    """),
    Program("gumbel_reinforce", None, """
        import tensorflow as tf

        tf.random.set_seed(3)
        logits = tf.Variable([[0.1, 0.2, 0.3]])
        with tf.GradientTape() as tape:
            action = tf.random.categorical(logits, 5)
            log_p = tf.gather(tf.nn.log_softmax(logits)[0], action[0])
            reward = tf.stop_gradient(tf.cast(action[0], tf.float32))
            loss = -tf.reduce_mean(log_p * reward)
        print(tape.gradient(loss, logits))
    """),
    Program("logging", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        x = rng.normal(size=(20, 3)).astype("float32")
        y = (x @ np.array([[1.0], [2.0], [3.0]])).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))
        history = []
        for step in range(5):
            with tf.GradientTape() as tape:
                predicted = x @ w
                loss = tf.reduce_mean((predicted - y) ** 2)
                print(step, loss.numpy(), f"{float(loss):.3f}", np.abs(predicted).max())
            g = tape.gradient(loss, w)
            w.assign_sub(0.1 * g)
            history.append(float(loss))
            if history[-1] < 1e-3:
                break
        print(history)
    """),
    Program("masked_accuracy", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        x = rng.normal(size=(10, 5)).astype("float32")
        labels = tf.constant(rng.integers(0, 3, size=10))
        w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
        with tf.GradientTape() as tape:
            logits = x @ w
            accuracy = tf.reduce_mean(tf.cast(tf.argmax(logits, axis=1) == labels, tf.float32))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
            mask = tf.cast(logits > 0.0, tf.float32)
            loss += 0.01 * tf.reduce_mean(mask * logits)
        print(accuracy.numpy(), tape.gradient(loss, w).numpy())
    """),
    Program("persistent_nested", None, """
        import tensorflow as tf

        x = tf.Variable([1.0, 2.0])
        y = tf.Variable([0.5, 0.5])
        with tf.GradientTape(persistent=True) as tape:
            a = tf.reduce_sum(x ** 2 * y)
            b = tf.reduce_sum(x * y)
        print(tape.gradient(a, x), tape.gradient(b, y), tape.gradient(a, y))
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                z = tf.reduce_sum(x ** 3)
            dz = inner.gradient(z, x)
        print(outer.gradient(dz, x))
    """),
    Program("ppo", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        states = rng.normal(size=(16, 4)).astype("float32")
        actions = tf.constant(rng.integers(0, 2, size=16))
        advantage = tf.constant(rng.normal(size=16).astype("float32"))
        w = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))


        def log_prob():
            logits = tf.nn.log_softmax(states @ w)
            return tf.reduce_sum(logits * tf.one_hot(actions, 2), axis=1)


        old = log_prob()
        for _ in range(3):
            with tf.GradientTape() as tape:
                ratio = tf.exp(log_prob() - old)
                clipped = tf.clip_by_value(ratio, 0.8, 1.2)
                loss = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))
            w.assign_sub(0.01 * tape.gradient(loss, w))
        print(loss.numpy())
    """),
    Program("straight_through", None, """
        import tensorflow as tf

        z = tf.Variable([0.3, 0.8])
        with tf.GradientTape() as tape:
            hard = z + tf.stop_gradient(tf.round(z) - z)
            loss = tf.reduce_sum((hard - 0.2) ** 2)
        print(tape.gradient(loss, z))
    """),
    Program("target_network", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        online = [tf.Variable(rng.normal(size=(3, 2)).astype("float32")), tf.Variable(tf.zeros([2]))]
        target = [tf.Variable(v, trainable=False) for v in online]


        def q(x, net):
            return x @ net[0] + net[1]


        s = rng.normal(size=(8, 3)).astype("float32")
        s2 = rng.normal(size=(8, 3)).astype("float32")
        r = rng.normal(size=8).astype("float32")
        a = tf.constant(rng.integers(0, 2, size=8))
        for step in range(3):
            with tf.GradientTape() as tape:
                bootstrapped = r + 0.9 * tf.reduce_max(tf.stop_gradient(q(s2, target)), axis=1)
                chosen = tf.gather(q(s, online), a, batch_dims=1)
                loss = tf.reduce_mean((bootstrapped - chosen) ** 2)
            for v, g in zip(online, tape.gradient(loss, online)):
                v.assign_sub(0.05 * g)
            for t, v in zip(target, online):
                t.assign(0.99 * t + 0.01 * v)
        print(float(loss))
    """),
    Program("unconnected_zero", None, """
        import tensorflow as tf

        used = tf.Variable(2.0)
        optional = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = used ** 2
        print(tape.gradient(loss, [used, optional], unconnected_gradients="zero"))
    """),
    Program("adam_by_hand", None, """
        import tensorflow as tf


        class Adam:
            def __init__(self, params, lr=0.1):
                self.params, self.lr, self.t = params, lr, 0
                self.m = [tf.Variable(tf.zeros_like(p), trainable=False) for p in params]
                self.v = [tf.Variable(tf.zeros_like(p), trainable=False) for p in params]

            def step(self, grads):
                self.t += 1
                for p, g, m, v in zip(self.params, grads, self.m, self.v):
                    m.assign(0.9 * m + 0.1 * g)
                    v.assign(0.999 * v + 0.001 * g ** 2)
                    mh = m / (1.0 - 0.9 ** self.t)
                    vh = v / (1.0 - 0.999 ** self.t)
                    p.assign_sub(self.lr * mh / (tf.sqrt(vh) + 1e-8))


        w = tf.Variable([2.0, -1.0])
        opt = Adam([w])
        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w - 1.0) ** 2)
            opt.step(tape.gradient(loss, [w]))
        print(w.numpy())
    """),
    Program("early_stopping", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        x = rng.normal(size=(30, 2)).astype("float32")
        y = (x[:, :1] - 0.5 * x[:, 1:]).astype("float32")
        w = tf.Variable(tf.zeros([2, 1]))
        b = tf.Variable(tf.zeros([1]))
        best, patience, lr = np.inf, 2, 0.2
        for epoch in range(20):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w + b - y) ** 2)
                if float(loss) < 1e-4:
                    break
            dw, db = tape.gradient(loss, [w, b])
            norm = float(tf.linalg.global_norm([dw, db]))
            lr = lr * 0.9 if norm > 1.0 else lr
            w.assign_sub(lr * dw)
            b.assign_sub(lr * db)
            if float(loss) < best - 1e-3:
                best = float(loss)
            else:
                patience -= 1
                if patience == 0:
                    break
        print(best)
    """),
    Program("maml", None, """
        import tensorflow as tf

        theta = tf.Variable([0.5, 1.0])
        x = tf.constant([1.0, 2.0])
        for _ in range(2):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    inner_loss = tf.reduce_sum((theta * x - 1.0) ** 2)
                g = inner.gradient(inner_loss, theta)
                fast = theta - 0.1 * g
                outer_loss = tf.reduce_sum((fast * x - 2.0) ** 2)
            theta.assign_sub(0.05 * outer.gradient(outer_loss, theta))
        print(theta.numpy())
    """),
    Program("style_transfer", None, """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        kernel = tf.constant(rng.normal(size=(3, 3, 1, 4)).astype("float32") * 0.3)
        style = tf.constant(rng.random((1, 8, 8, 1)).astype("float32"))
        image = tf.Variable(rng.random((1, 8, 8, 1)).astype("float32"))


        def gram(x):
            f = tf.reshape(tf.nn.conv2d(x, kernel, 1, "SAME"), [-1, 4])
            return tf.matmul(f, f, transpose_a=True) / 64.0


        goal = gram(style)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((gram(image) - goal) ** 2)
            image.assign(tf.clip_by_value(image - 0.1 * tape.gradient(loss, image), 0.0, 1.0))
        print(loss.numpy())
    """),
]  # fmt: skip
