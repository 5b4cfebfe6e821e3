"""Programs in which nothing is wrong, though much looks as if it were: methods as people write them."""

from tests.clinic.program import Program

PROGRAMS = [
    Program(
        "wgan_gp_training",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        tf.random.set_seed(0)
        LATENT, DATA, BATCH = 4, 2, 16


        class MLP(tf.Module):
            def __init__(self, sizes, out_activation=None):
                super().__init__()
                self.layers = []
                self.out_activation = out_activation
                for n_in, n_out in zip(sizes[:-1], sizes[1:]):
                    w = tf.Variable(tf.random.normal([n_in, n_out], stddev=(2.0 / n_in) ** 0.5))
                    b = tf.Variable(tf.zeros([n_out]))
                    self.layers.append((w, b))

            def __call__(self, x):
                for i, (w, b) in enumerate(self.layers):
                    x = tf.matmul(x, w) + b
                    if i < len(self.layers) - 1:
                        x = tf.nn.leaky_relu(x, 0.2)
                return x if self.out_activation is None else self.out_activation(x)


        gen = MLP([LATENT, 16, DATA])
        critic = MLP([DATA, 16, 1])
        g_opt_m = [tf.Variable(tf.zeros_like(v), trainable=False) for v in gen.trainable_variables]


        def penalty(real, fake):
            eps = tf.random.uniform([real.shape[0], 1])
            mixed = eps * real + (1.0 - eps) * fake
            with tf.GradientTape() as t:
                t.watch(mixed)
                score = critic(mixed)
            g = t.gradient(score, mixed)
            norm = tf.sqrt(tf.reduce_sum(g ** 2, axis=1) + 1e-12)
            return tf.reduce_mean((norm - 1.0) ** 2)


        for step in range(4):
            real = tf.constant(rng.normal(2.0, 0.5, size=(BATCH, DATA)).astype("float32"))
            for _ in range(2):
                z = tf.random.normal([BATCH, LATENT])
                fake = gen(z)
                with tf.GradientTape() as tape:
                    d_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
                grads = tape.gradient(d_loss, critic.trainable_variables)
                for v, g in zip(critic.trainable_variables, grads):
                    if g is not None:
                        v.assign_sub(0.01 * g)
            with tf.GradientTape() as tape:
                g_loss = -tf.reduce_mean(critic(gen(tf.random.normal([BATCH, LATENT]))))
            grads = tape.gradient(g_loss, gen.trainable_variables)
            for m, v, g in zip(g_opt_m, gen.trainable_variables, grads):
                m.assign(0.9 * m + g)
                v.assign_sub(0.01 * m)
        print("RESULT:", d_loss.numpy(), g_loss.numpy())
    """,
    ),
    Program(
        "masked_gru_language_model",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(1)
        VOCAB, EMB, UNITS = 12, 5, 6
        sentences = [[3, 4, 5], [7, 8], [1, 2, 9, 10, 11]]
        longest = max(len(s) for s in sentences)
        tokens = np.zeros((len(sentences), longest), dtype=np.int32)
        for i, s in enumerate(sentences):
            tokens[i, : len(s)] = s
        inputs, targets = tokens[:, :-1], tokens[:, 1:]
        mask = tf.cast(targets != 0, tf.float32)

        emb = tf.Variable(tf.random.normal([VOCAB, EMB], stddev=0.1))
        wz = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
        wr = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
        wh = tf.Variable(tf.random.normal([EMB + UNITS, UNITS], stddev=0.3))
        out = tf.Variable(tf.random.normal([UNITS, VOCAB], stddev=0.3))
        params = [emb, wz, wr, wh, out]


        def step(h, x):
            hx = tf.concat([x, h], axis=-1)
            z, r = tf.sigmoid(hx @ wz), tf.sigmoid(hx @ wr)
            cand = tf.tanh(tf.concat([x, r * h], axis=-1) @ wh)
            return (1.0 - z) * h + z * cand


        history = []
        for epoch in range(5):
            with tf.GradientTape() as tape:
                x = tf.nn.embedding_lookup(emb, inputs)
                h = tf.zeros([x.shape[0], UNITS])
                logits = []
                for t in range(x.shape[1]):
                    new = step(h, x[:, t])
                    keep = mask[:, t : t + 1]
                    h = keep * new + (1.0 - keep) * h
                    logits.append(h @ out)
                logits = tf.stack(logits, axis=1)
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
                loss = tf.reduce_sum(ce * mask) / tf.reduce_sum(mask)
            grads = tape.gradient(loss, params)
            dense = [tf.convert_to_tensor(g) for g in grads]
            clipped, norm = tf.clip_by_global_norm(dense, 1.0)
            for p, g in zip(params, clipped):
                p.assign_sub(0.5 * g)
            predicted = tf.argmax(logits, axis=-1, output_type=tf.int32)
            hits = tf.cast(predicted == targets, tf.float32) * mask
            accuracy = float(tf.reduce_sum(hits) / tf.reduce_sum(mask))
            history.append((float(loss), float(norm), accuracy))
        print("RESULT:", np.round(history[-1], 4))
    """,
    ),
    Program(
        "dqn_with_replay_and_double_q",
        None,
        """
        import collections
        import random

        import numpy as np
        import tensorflow as tf

        random.seed(0)
        rng = np.random.default_rng(0)
        GAMMA, ACTIONS, STATES = 0.95, 3, 4


        class QNet:
            def __init__(self, seed):
                r = np.random.default_rng(seed)
                self.w1 = tf.Variable(r.normal(0, 0.5, (STATES, 8)).astype(np.float32))
                self.b1 = tf.Variable(np.zeros(8, np.float32))
                self.w2 = tf.Variable(r.normal(0, 0.5, (8, ACTIONS)).astype(np.float32))
                self.b2 = tf.Variable(np.zeros(ACTIONS, np.float32))

            @property
            def variables(self):
                return [self.w1, self.b1, self.w2, self.b2]

            def __call__(self, s):
                h = tf.nn.relu(tf.matmul(s, self.w1) + self.b1)
                return tf.matmul(h, self.w2) + self.b2


        online, target = QNet(1), QNet(2)
        for a, b in zip(target.variables, online.variables):
            a.assign(b)
        memory = collections.deque(maxlen=100)
        state = rng.normal(size=STATES).astype(np.float32)
        for t in range(40):
            q = online(state[None])
            action = int(tf.argmax(q[0])) if random.random() > 0.2 else random.randrange(ACTIONS)
            nxt = rng.normal(size=STATES).astype(np.float32)
            memory.append((state, action, float(nxt[action]), nxt, t % 10 == 9))
            state = nxt
            if len(memory) < 16:
                continue
            batch = random.sample(memory, 8)
            s, a, r, n, done = (np.array(col) for col in zip(*batch))
            best = tf.argmax(online(n), axis=1)
            next_q = tf.reduce_sum(target(n) * tf.one_hot(best, ACTIONS), axis=1)
            goal = tf.cast(r, tf.float32) + GAMMA * next_q * (1.0 - tf.cast(done, tf.float32))
            with tf.GradientTape() as tape:
                chosen = tf.gather(online(s), a, axis=1, batch_dims=1)
                error = chosen - tf.stop_gradient(goal)
                huber = tf.where(tf.abs(error) < 1.0, 0.5 * error ** 2, tf.abs(error) - 0.5)
                loss = tf.reduce_mean(huber)
            grads = tape.gradient(loss, online.variables)
            grads = [tf.clip_by_norm(g, 5.0) for g in grads]
            for v, g in zip(online.variables, grads):
                v.assign_sub(0.05 * g)
            if t % 8 == 0:
                for dst, src in zip(target.variables, online.variables):
                    dst.assign(0.9 * dst + 0.1 * src)
        print("RESULT: loss", loss.numpy())
    """,
    ),
    Program(
        "burgers_pinn",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(3)
        rng = np.random.default_rng(3)
        NU = 0.01 / np.pi
        widths = [2, 10, 10, 1]
        weights = [tf.Variable(tf.random.normal([a, b], stddev=(1.0 / a) ** 0.5)) for a, b in zip(widths, widths[1:])]
        biases = [tf.Variable(tf.zeros([b])) for b in widths[1:]]
        params = weights + biases


        def u(t, x):
            h = tf.concat([t, x], axis=1)
            for w, b in zip(weights[:-1], biases[:-1]):
                h = tf.tanh(h @ w + b)
            return h @ weights[-1] + biases[-1]


        def residual(t, x):
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape(persistent=True) as first:
                    first.watch([t, x])
                    value = u(t, x)
                u_t = first.gradient(value, t)
                u_x = first.gradient(value, x)
                del first
            u_xx = second.gradient(u_x, x)
            return u_t + value * u_x - NU * u_xx


        t_col = tf.constant(rng.uniform(0, 1, (20, 1)).astype("float32"))
        x_col = tf.constant(rng.uniform(-1, 1, (20, 1)).astype("float32"))
        x_ini = tf.constant(rng.uniform(-1, 1, (10, 1)).astype("float32"))
        u_ini = -tf.sin(np.pi * x_ini)
        t_bnd = tf.constant(rng.uniform(0, 1, (6, 1)).astype("float32"))
        for epoch in range(3):
            with tf.GradientTape() as tape:
                f = residual(t_col, x_col)
                initial = u(tf.zeros_like(x_ini), x_ini) - u_ini
                edges = tf.concat([u(t_bnd, tf.ones_like(t_bnd)), u(t_bnd, -tf.ones_like(t_bnd))], axis=0)
                loss = tf.reduce_mean(f ** 2) + tf.reduce_mean(initial ** 2) + tf.reduce_mean(edges ** 2)
            grads = tape.gradient(loss, params)
            for p, g in zip(params, grads):
                p.assign_sub(0.01 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "ppo_clipped_with_gae",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        T, OBS, ACT = 12, 3, 2
        pi = tf.Variable(rng.normal(0, 0.3, (OBS, ACT)).astype("float32"))
        vf = tf.Variable(rng.normal(0, 0.3, (OBS, 1)).astype("float32"))
        obs = rng.normal(size=(T + 1, OBS)).astype("float32")
        rewards = rng.normal(size=T).astype("float32")

        values = tf.squeeze(obs @ vf, -1).numpy()
        logp_all = tf.nn.log_softmax(obs[:T] @ pi)
        actions = tf.squeeze(tf.random.categorical(logp_all, 1, seed=7), 1).numpy()
        old_logp = tf.gather(logp_all, actions, axis=1, batch_dims=1).numpy()

        advantages = np.zeros(T, dtype="float32")
        running = 0.0
        for t in reversed(range(T)):
            delta = rewards[t] + 0.99 * values[t + 1] - values[t]
            running = delta + 0.99 * 0.95 * running
            advantages[t] = running
        returns = advantages + values[:T]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

        for epoch in range(4):
            with tf.GradientTape() as tape:
                logp_now = tf.nn.log_softmax(obs[:T] @ pi)
                logp = tf.reduce_sum(logp_now * tf.one_hot(actions, ACT), axis=1)
                ratio = tf.exp(logp - old_logp)
                surrogate = tf.minimum(ratio * advantages, tf.clip_by_value(ratio, 0.8, 1.2) * advantages)
                entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(logp_now) * logp_now, axis=1))
                critic = tf.reduce_mean((tf.squeeze(obs[:T] @ vf, axis=1) - returns) ** 2)
                loss = -tf.reduce_mean(surrogate) + 0.5 * critic - 0.01 * entropy
            gp, gv = tape.gradient(loss, (pi, vf))
            pi.assign_sub(0.1 * gp)
            vf.assign_sub(0.1 * gv)
            kl = float(tf.reduce_mean(old_logp - logp))
            if kl > 0.5:
                break
        print("RESULT:", loss.numpy(), kl)
    """,
    ),
    Program(
        "style_transfer_gram",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        filters = [tf.constant(rng.normal(0, 0.3, (3, 3, 3, 6)).astype("float32")),
                   tf.constant(rng.normal(0, 0.2, (3, 3, 6, 8)).astype("float32"))]


        def extract(image):
            features = []
            x = image * 2.0 - 1.0
            for f in filters:
                x = tf.nn.relu(tf.nn.conv2d(x, f, strides=1, padding="SAME"))
                features.append(x)
                x = tf.nn.avg_pool2d(x, 2, 2, "VALID")
            return features


        def gram(f):
            result = tf.linalg.einsum("bijc,bijd->bcd", f, f)
            n = tf.cast(tf.shape(f)[1] * tf.shape(f)[2], tf.float32)
            return result / n


        style = tf.constant(rng.random((1, 12, 12, 3)).astype("float32"))
        content = tf.constant(rng.random((1, 12, 12, 3)).astype("float32"))
        style_grams = [gram(f) for f in extract(style)]
        content_target = extract(content)[-1]
        image = tf.Variable(content)
        best = float("inf")
        for step in range(5):
            with tf.GradientTape() as tape:
                out = extract(image)
                style_loss = tf.add_n([tf.reduce_mean((gram(a) - b) ** 2) for a, b in zip(out, style_grams)])
                content_loss = tf.reduce_mean((out[-1] - content_target) ** 2)
                loss = 10.0 * style_loss + content_loss + 1e-4 * tf.reduce_sum(tf.image.total_variation(image))
            grad = tape.gradient(loss, image)
            image.assign(tf.clip_by_value(image - 0.02 * tf.sign(grad), 0.0, 1.0))
            if float(loss) < best:
                best = float(loss)
        print("RESULT:", best)
    """,
    ),
    Program(
        "vae_with_beta_schedule",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(4)
        rng = np.random.default_rng(4)
        data = (rng.random((32, 12)) > 0.6).astype("float32")


        class VAE(tf.Module):
            def __init__(self, d, h, z, name=None):
                super().__init__(name=name)
                init = tf.random_normal_initializer(stddev=0.2)
                self.enc = tf.Variable(init([d, h]))
                self.mu = tf.Variable(init([h, z]))
                self.logvar = tf.Variable(init([h, z]))
                self.dec1 = tf.Variable(init([z, h]))
                self.dec2 = tf.Variable(init([h, d]))

            def encode(self, x):
                h = tf.nn.relu(x @ self.enc)
                return h @ self.mu, h @ self.logvar

            def decode(self, z):
                return tf.nn.relu(z @ self.dec1) @ self.dec2

            def elbo(self, x, beta):
                mean, logvar = self.encode(x)
                eps = tf.random.normal(tf.shape(mean))
                z = mean + tf.exp(0.5 * logvar) * eps
                logits = self.decode(z)
                rec = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), axis=1)
                kl = -0.5 * tf.reduce_sum(1.0 + logvar - mean ** 2 - tf.exp(logvar), axis=1)
                return tf.reduce_mean(rec + beta * kl), tf.reduce_mean(rec), tf.reduce_mean(kl)


        model = VAE(12, 8, 2)
        log = {"rec": [], "kl": []}
        for epoch in range(4):
            beta = min(1.0, epoch / 3)
            order = rng.permutation(32)
            for start in range(0, 32, 8):
                batch = data[order[start : start + 8]]
                with tf.GradientTape() as tape:
                    loss, rec, kl = model.elbo(batch, beta)
                for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
                    v.assign_sub(0.02 * g)
            log["rec"].append(rec.numpy())
            log["kl"].append(kl.numpy())
        print("RESULT:", np.mean(log["rec"]), np.mean(log["kl"]))
    """,
    ),
    Program(
        "vqvae_straight_through",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        x = tf.constant(rng.normal(size=(20, 6)).astype("float32"))
        enc = tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32"))
        dec = tf.Variable(rng.normal(0, 0.4, (3, 6)).astype("float32"))
        codebook = tf.Variable(rng.normal(0, 0.5, (8, 3)).astype("float32"))
        usage = np.zeros(8, dtype=int)


        def quantise(z):
            distances = (tf.reduce_sum(z ** 2, axis=1, keepdims=True)
                         - 2.0 * tf.matmul(z, codebook, transpose_b=True)
                         + tf.reduce_sum(codebook ** 2, axis=1))
            idx = tf.argmin(distances, axis=1)
            q = tf.gather(codebook, idx)
            codebook_loss = tf.reduce_mean((q - tf.stop_gradient(z)) ** 2)
            commitment = tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
            q = z + tf.stop_gradient(q - z)
            return q, codebook_loss + 0.25 * commitment, idx


        for step in range(6):
            with tf.GradientTape() as tape:
                z = tf.tanh(x @ enc)
                q, vq_loss, idx = quantise(z)
                loss = tf.reduce_mean((q @ dec - x) ** 2) + vq_loss
            ge, gd, gc = tape.gradient(loss, [enc, dec, codebook])
            enc.assign_sub(0.1 * ge)
            dec.assign_sub(0.1 * gd)
            codebook.scatter_sub(tf.IndexedSlices(0.1 * gc.values, gc.indices))
            np.add.at(usage, idx.numpy(), 1)
        print("RESULT:", loss.numpy(), (usage > 0).sum())
    """,
    ),
    Program(
        "supervised_contrastive",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        labels = np.array([0, 0, 1, 1, 2, 2, 0, 1])
        x = rng.normal(size=(8, 5)).astype("float32") + labels[:, None].astype("float32")
        w = tf.Variable(rng.normal(0, 0.5, (5, 4)).astype("float32"))
        TEMPERATURE = 0.1


        def supcon(z, y):
            z = tf.math.l2_normalize(z, axis=1)
            sim = tf.matmul(z, z, transpose_b=True) / TEMPERATURE
            sim -= tf.stop_gradient(tf.reduce_max(sim, axis=1, keepdims=True))
            n = z.shape[0]
            not_self = 1.0 - tf.eye(n)
            positives = tf.cast(tf.equal(y[:, None], y[None, :]), tf.float32) * not_self
            exp_sim = tf.exp(sim) * not_self
            log_prob = sim - tf.math.log(tf.reduce_sum(exp_sim, axis=1, keepdims=True))
            per_anchor = tf.reduce_sum(positives * log_prob, axis=1) / tf.reduce_sum(positives, axis=1)
            return -tf.reduce_mean(per_anchor)


        losses = []
        for _ in range(10):
            with tf.GradientTape() as tape:
                loss = supcon(x @ w, tf.constant(labels))
            w.assign_sub(0.05 * tape.gradient(loss, w))
            losses.append(loss.numpy())
        print("RESULT:", losses[0] > losses[-1], losses[-1])
    """,
    ),
    Program(
        "simsiam_predictor",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        base = rng.normal(size=(16, 6)).astype("float32")


        class Net(tf.Module):
            def __init__(self):
                self.backbone = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"), name="backbone")
                self.predictor = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"), name="predictor")

            def embed(self, x):
                z = tf.nn.tanh(x @ self.backbone)
                return z, z @ self.predictor


        def d(p, z):
            p = tf.nn.l2_normalize(p, axis=-1)
            z = tf.nn.l2_normalize(tf.stop_gradient(z), axis=-1)
            return -tf.reduce_mean(tf.reduce_sum(p * z, axis=-1))


        net = Net()
        for _ in range(5):
            a = base + 0.1 * rng.normal(size=base.shape).astype("float32")
            b = base + 0.1 * rng.normal(size=base.shape).astype("float32")
            with tf.GradientTape() as tape:
                z1, p1 = net.embed(a)
                z2, p2 = net.embed(b)
                loss = 0.5 * d(p1, z2) + 0.5 * d(p2, z1)
            grads = tape.gradient(loss, net.trainable_variables)
            for v, g in zip(net.trainable_variables, grads):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "mixed_precision_loss_scaling",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        x = rng.normal(size=(32, 8)).astype("float16")
        y = rng.normal(size=(32, 1)).astype("float32")
        master = [tf.Variable(rng.normal(0, 0.3, (8, 16)).astype("float32")), tf.Variable(rng.normal(0, 0.3, (16, 1)).astype("float32"))]
        scale = 128.0
        good_steps = 0
        for step in range(10):
            with tf.GradientTape() as tape:
                w1, w2 = [tf.cast(v, tf.float16) for v in master]
                h = tf.nn.relu(tf.matmul(x, w1))
                prediction = tf.cast(tf.matmul(h, w2), tf.float32)
                loss = tf.reduce_mean((prediction - y) ** 2)
                scaled = loss * scale
            grads = [g / scale for g in tape.gradient(scaled, master)]
            if all(bool(tf.reduce_all(tf.math.is_finite(g))) for g in grads):
                for v, g in zip(master, grads):
                    v.assign_sub(0.01 * g)
                good_steps += 1
                if good_steps % 5 == 0:
                    scale *= 2.0
            else:
                scale /= 2.0
        print("RESULT:", loss.numpy(), scale)
    """,
    ),
    Program(
        "frozen_backbone_then_finetune",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        x = rng.normal(size=(24, 5)).astype("float32")
        y = rng.integers(0, 3, 24)


        class Model(tf.Module):
            def __init__(self):
                super().__init__()
                self.backbone = [tf.Variable(rng.normal(0, 0.4, (5, 6)).astype("float32")), tf.Variable(tf.zeros(6))]
                self.head = [tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32")), tf.Variable(tf.zeros(3))]

            def features(self, x):
                return tf.nn.elu(x @ self.backbone[0] + self.backbone[1])

            def __call__(self, x, freeze):
                f = self.features(x)
                if freeze:
                    f = tf.stop_gradient(f)
                return f @ self.head[0] + self.head[1]


        model = Model()


        def train(variables, freeze, epochs, lr):
            for _ in range(epochs):
                with tf.GradientTape(watch_accessed_variables=False) as tape:
                    tape.watch(variables)
                    logits = model(x, freeze)
                    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
                for v, g in zip(variables, tape.gradient(loss, variables)):
                    v.assign_sub(lr * g)
            return float(loss)


        first = train(model.head, True, 5, 0.5)
        second = train(model.backbone + model.head, False, 5, 0.1)
        print("RESULT:", first, second)
    """,
    ),
    Program(
        "none_filtered_multi_head",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        trunk = tf.Variable(rng.normal(0, 0.3, (4, 6)).astype("float32"), name="trunk")
        heads = {name: tf.Variable(rng.normal(0, 0.3, (6, 1)).astype("float32"), name=name) for name in ("price", "age", "size")}
        variables = [trunk, *heads.values()]
        x = rng.normal(size=(10, 4)).astype("float32")
        labels = {name: rng.normal(size=(10, 1)).astype("float32") for name in heads}


        def task_loss(task):
            return tf.reduce_mean((tf.tanh(x @ trunk) @ heads[task] - labels[task]) ** 2)


        for step, task in enumerate(["price", "age", "size", "price"]):
            with tf.GradientTape() as tape:
                loss = task_loss(task)
            grads = tape.gradient(loss, variables)
            pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
            for g, v in pairs:
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy(), len(pairs))
    """,
    ),
    Program(
        "none_skipped_by_continue",
        None,
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
            pretraining = epoch < 2
            with tf.GradientTape() as tape:
                code = tf.tanh(x @ encoder)
                if pretraining:
                    loss = tf.reduce_mean((code @ decoder - x) ** 2)
                else:
                    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=code @ classifier))
            grads = tape.gradient(loss, all_variables)
            for variable, grad in zip(all_variables, grads):
                if grad is None:
                    continue
                variable.assign_sub(0.1 * grad)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "early_stop_on_validation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        x = rng.normal(size=(60, 3)).astype(np.float32)
        y = (x @ np.array([[1.5], [-2.0], [0.5]], np.float32) + 0.3 + 0.05 * rng.normal(size=(60, 1))).astype(np.float32)
        x_train, x_val, y_train, y_val = x[:40], x[40:], y[:40], y[40:]
        w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(0.0)
        best, patience, waited, best_weights = np.inf, 3, 0, None
        for epoch in range(200):
            for i in range(0, 40, 10):
                with tf.GradientTape() as tape:
                    pred = tf.matmul(x_train[i : i + 10], w) + b
                    loss = tf.reduce_mean(tf.square(pred - y_train[i : i + 10]))
                gw, gb = tape.gradient(loss, [w, b])
                w.assign_sub(0.05 * gw)
                b.assign_sub(0.05 * gb)
            val = float(tf.reduce_mean(tf.square(tf.matmul(x_val, w) + b - y_val)))
            if val < best - 1e-5:
                best, waited, best_weights = val, 0, (w.numpy().copy(), b.numpy())
            else:
                waited += 1
                if waited >= patience:
                    break
        w.assign(best_weights[0])
        b.assign(best_weights[1])
        print("RESULT:", epoch > 2, w.numpy().ravel(), b.numpy())
    """,
    ),
    Program(
        "fixed_point_zero_loss",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = tf.constant([[1.0], [2.0], [3.0]])
        y = 2.0 * x + 1.0
        w = tf.Variable(2.0)
        b = tf.Variable(0.0)
        for step in range(400):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x + b - y) ** 2)
            grads = tape.gradient(loss, [w, b])
            for v, g in zip([w, b], grads):
                v.assign_sub(0.1 * g)
        print("RESULT:", w.numpy(), b.numpy())
    """,
    ),
    Program(
        "perceptual_hinge_svm_separable",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        pos, neg = rng.normal(3, 0.5, (15, 2)), rng.normal(-3, 0.5, (15, 2))
        x = np.vstack([pos, neg]).astype("float32")
        y = np.concatenate([np.ones(15), -np.ones(15)]).astype("float32")
        w, b = tf.Variable(tf.zeros([2])), tf.Variable(0.0)
        for _ in range(30):
            with tf.GradientTape() as tape:
                margin = y * (tf.linalg.matvec(tf.constant(x), w) + b)
                loss = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin))
            gw, gb = tape.gradient(loss, [w, b])
            w.assign_sub(0.5 * gw)
            b.assign_sub(0.5 * gb)
        print("RESULT:", loss.numpy(), w.numpy())
    """,
    ),
    Program(
        "attention_with_key_padding",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        B, L, D, H = 3, 5, 8, 2
        lengths = np.array([5, 2, 3])
        pad = np.arange(L)[None, :] < lengths[:, None]
        x = rng.normal(size=(B, L, D)).astype("float32") * pad[..., None]


        def glorot(*s):
            limit = np.sqrt(6.0 / (s[0] + s[-1]))
            return tf.Variable(rng.uniform(-limit, limit, s).astype("float32"))


        wq, wk, wv, wo = glorot(D, D), glorot(D, D), glorot(D, D), glorot(D, D)
        head = glorot(D, 2)


        def attend(x, mask):
            def heads(t):
                return tf.transpose(tf.reshape(t, [B, L, H, D // H]), [0, 2, 1, 3])

            q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
            scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(D // H, tf.float32))
            scores = tf.where(mask[:, None, None, :], scores, tf.fill(tf.shape(scores), -1e9))
            weights = tf.nn.softmax(scores)
            weights = tf.nn.dropout(weights, rate=0.1, seed=1)
            context = tf.reshape(tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3]), [B, L, D])
            return context @ wo


        labels = tf.one_hot([0, 1, 1], 2)
        variables = [wq, wk, wv, wo, head]
        for _ in range(3):
            with tf.GradientTape() as tape:
                out = x + attend(tf.constant(x, tf.float32), tf.constant(pad))
                m = tf.cast(pad, tf.float32)[..., None]
                pooled = tf.reduce_sum(out * m, axis=1) / tf.reduce_sum(m, axis=1)
                loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, pooled @ head))
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "jacobian_newton_method",
        None,
        """
        import numpy as np
        import tensorflow as tf

        theta = tf.Variable([0.5, 1.0], dtype=tf.float64)
        t = np.linspace(0.0, 2.0, 9)
        data = 1.3 * np.exp(-0.7 * t)


        def residuals():
            return theta[0] * tf.exp(-theta[1] * t) - data


        for it in range(15):
            with tf.GradientTape() as tape:
                r = residuals()
            J = tape.jacobian(r, theta)
            normal = tf.matmul(J, J, transpose_a=True) + 1e-8 * tf.eye(2, dtype=tf.float64)
            step = tf.linalg.solve(normal, tf.linalg.matvec(J, r, transpose_a=True)[:, None])
            theta.assign_sub(step[:, 0])
            if float(tf.norm(step)) < 1e-10:
                break
        print("RESULT:", theta.numpy())
    """,
    ),
    Program(
        "newton_with_hessian",
        None,
        """
        import tensorflow as tf

        x = tf.Variable([-1.2, 1.0], dtype=tf.float64)


        def rosenbrock(v):
            return (1.0 - v[0]) ** 2 + 100.0 * (v[1] - v[0] ** 2) ** 2


        for i in range(8):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    f = rosenbrock(x)
                g = inner.gradient(f, x)
            h = outer.jacobian(g, x)
            p = tf.squeeze(tf.linalg.solve(h, g[:, tf.newaxis]), axis=1)
            x.assign_sub(p)
        print("RESULT:", x.numpy())
    """,
    ),
    Program(
        "gradient_accumulation_micro_batches",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(21)
        x, y = rng.normal(size=(64, 4)).astype("float32"), rng.normal(size=(64,)).astype("float32")
        w = tf.Variable(tf.random.stateless_normal([4, 1], seed=[1, 2]))
        b = tf.Variable(tf.zeros([1]))
        variables = [w, b]
        accumulators = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
        for step in range(8):
            sl = slice(8 * step, 8 * step + 8)
            with tf.GradientTape() as tape:
                pred = tf.reshape(x[sl] @ w + b, [-1])
                loss = tf.reduce_mean((pred - y[sl]) ** 2) / 4.0
            for acc, g in zip(accumulators, tape.gradient(loss, variables)):
                acc.assign_add(g)
            if (step + 1) % 4 == 0:
                for v, acc in zip(variables, accumulators):
                    v.assign_sub(0.1 * acc)
                    acc.assign(tf.zeros_like(acc))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "tf_function_training_step",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(22)
        w1 = tf.Variable(rng.normal(0, 0.3, (4, 8)).astype("float32"))
        w2 = tf.Variable(rng.normal(0, 0.3, (8, 3)).astype("float32"))
        lr = tf.Variable(0.1, trainable=False)
        step_counter = tf.Variable(0, dtype=tf.int64)


        @tf.function
        def forward(x, training):
            h = tf.nn.gelu(x @ w1)
            if training:
                h = tf.nn.dropout(h, 0.2)
            return h @ w2


        @tf.function
        def train_step(x, y):
            with tf.GradientTape() as tape:
                logits = forward(x, True)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
            grads = tape.gradient(loss, [w1, w2])
            for v, g in zip([w1, w2], grads):
                v.assign_sub(lr * g)
            step_counter.assign_add(1)
            return loss


        x = tf.constant(rng.normal(size=(30, 4)).astype("float32"))
        y = tf.constant(rng.integers(0, 3, 30))
        for epoch in range(6):
            loss = train_step(x, y)
            if epoch == 3:
                lr.assign(0.05)
        accuracy = tf.reduce_mean(tf.cast(tf.argmax(forward(x, False), 1) == y, tf.float32))
        print("RESULT:", loss.numpy(), accuracy.numpy(), step_counter.numpy())
    """,
    ),
    Program(
        "maml_sine_second_order",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(30)
        sizes = [1, 8, 1]
        params = []
        for a, b in zip(sizes, sizes[1:]):
            params += [tf.Variable(rng.normal(0, 0.5, (a, b)).astype("float32")), tf.Variable(tf.zeros([b]))]


        def forward(x, p):
            return tf.tanh(x @ p[0] + p[1]) @ p[2] + p[3]


        def task():
            amp, phase = rng.uniform(0.5, 2.0), rng.uniform(0, np.pi)
            x = rng.uniform(-3, 3, (10, 1)).astype("float32")
            y = (amp * np.sin(x + phase)).astype("float32")
            return x[:5], y[:5], x[5:], y[5:]


        for meta_step in range(3):
            with tf.GradientTape() as outer:
                losses = []
                for _ in range(2):
                    xs, ys, xq, yq = task()
                    fast = params
                    for _ in range(2):
                        with tf.GradientTape() as inner:
                            for f in fast:
                                inner.watch(f)
                            support = tf.reduce_mean((forward(xs, fast) - ys) ** 2)
                        grads = inner.gradient(support, fast)
                        fast = [f - 0.05 * g for f, g in zip(fast, grads)]
                    losses.append(tf.reduce_mean((forward(xq, fast) - yq) ** 2))
                meta = tf.add_n(losses) / len(losses)
            for p, g in zip(params, outer.gradient(meta, params)):
                p.assign_sub(0.01 * g)
        print("RESULT:", meta.numpy())
    """,
    ),
    Program(
        "first_order_maml_stop",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(31)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        x1, x2 = rng.normal(size=(2, 6, 3)).astype("float32")
        y1, y2 = rng.normal(size=(2, 6, 1)).astype("float32")


        def mse(w, x, y):
            return tf.reduce_mean((x @ w - y) ** 2)


        for i in range(3):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    inner.watch(w)
                    a = mse(w, x1, y1)
                adapted = w - 0.1 * tf.stop_gradient(inner.gradient(a, w))
                b = mse(adapted, x2, y2)
            w.assign_sub(0.1 * outer.gradient(b, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "soft_actor_critic_losses",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(32)
        tf.random.set_seed(32)


        def dense(a, b):
            return tf.Variable(rng.normal(0, 0.3, (a, b)).astype("float32"))


        actor_mu, actor_ls = dense(3, 1), dense(3, 1)
        q1 = [dense(4, 8), dense(8, 1)]
        q2 = [dense(4, 8), dense(8, 1)]
        t1 = [tf.Variable(v, trainable=False) for v in q1]
        t2 = [tf.Variable(v, trainable=False) for v in q2]
        log_alpha = tf.Variable(0.0)


        def q(params, s, a):
            return tf.nn.relu(tf.concat([s, a], 1) @ params[0]) @ params[1]


        def policy(s):
            mu, log_std = s @ actor_mu, tf.clip_by_value(s @ actor_ls, -5.0, 2.0)
            eps = tf.random.normal(mu.shape)
            pre = mu + tf.exp(log_std) * eps
            a = tf.tanh(pre)
            logp = -0.5 * eps ** 2 - log_std - 0.5 * np.log(2 * np.pi) - tf.math.log(1.0 - a ** 2 + 1e-6)
            return a, logp


        s = rng.normal(size=(16, 3)).astype("float32")
        s_next = rng.normal(size=(16, 3)).astype("float32")
        a_data = rng.uniform(-1, 1, (16, 1)).astype("float32")
        r = rng.normal(size=(16, 1)).astype("float32")
        for step in range(4):
            a_next, logp_next = policy(s_next)
            target_q = tf.minimum(q(t1, s_next, a_next), q(t2, s_next, a_next)) - tf.exp(log_alpha) * logp_next
            y = r + 0.99 * target_q
            with tf.GradientTape() as tape:
                critic_loss = tf.reduce_mean((q(q1, s, a_data) - y) ** 2) + tf.reduce_mean((q(q2, s, a_data) - y) ** 2)
            for v, g in zip(q1 + q2, tape.gradient(critic_loss, q1 + q2)):
                v.assign_sub(0.01 * g)
            with tf.GradientTape() as tape:
                a, logp = policy(s)
                actor_loss = tf.reduce_mean(tf.exp(tf.stop_gradient(log_alpha)) * logp - tf.minimum(q(q1, s, a), q(q2, s, a)))
            for v, g in zip([actor_mu, actor_ls], tape.gradient(actor_loss, [actor_mu, actor_ls])):
                v.assign_sub(0.01 * g)
            with tf.GradientTape() as tape:
                alpha_loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(logp - 1.0))
            log_alpha.assign_sub(0.01 * tape.gradient(alpha_loss, log_alpha))
            for t, v in zip(t1 + t2, q1 + q2):
                t.assign(0.995 * t + 0.005 * v)
        print("RESULT:", critic_loss.numpy(), actor_loss.numpy(), log_alpha.numpy())
    """,
    ),
    Program(
        "binarised_network_ste",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(33)


        @tf.custom_gradient
        def binarise(x):
            def grad(dy):
                return tf.where(tf.abs(x) <= 1.0, dy, tf.zeros_like(dy))

            return tf.where(x >= 0, 1.0, -1.0), grad


        w1 = tf.Variable(rng.uniform(-0.5, 0.5, (6, 10)).astype("float32"))
        w2 = tf.Variable(rng.uniform(-0.5, 0.5, (10, 2)).astype("float32"))
        x = np.sign(rng.normal(size=(40, 6))).astype("float32")
        y = (x[:, 0] * x[:, 1] > 0).astype("int64")
        for epoch in range(10):
            with tf.GradientTape() as tape:
                h = binarise(x @ binarise(w1))
                logits = h @ w2
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
            for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
                v.assign(tf.clip_by_value(v - 0.1 * g, -1.0, 1.0))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "fake_quantised_weights",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([[0.31, -0.72], [0.05, 0.44]])
        x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
        y = tf.constant([[0.2], [0.9], [-0.4]])


        def quantise(v, bits=4):
            scale = tf.stop_gradient(tf.reduce_max(tf.abs(v))) / (2 ** (bits - 1) - 1)
            q = tf.round(v / scale) * scale
            return v + tf.stop_gradient(q - v)


        for _ in range(20):
            with tf.GradientTape() as tape:
                out = tf.reduce_sum(tf.matmul(x, quantise(w)), axis=1, keepdims=True)
                loss = tf.reduce_mean((out - y) ** 2)
            w.assign_sub(0.05 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "gumbel_softmax_hard",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(34)
        rng = np.random.default_rng(34)
        logits = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
        payoff = tf.constant([1.0, 2.0, 3.0])


        def sample(logits, tau):
            u = tf.random.uniform(logits.shape, 1e-6, 1.0 - 1e-6)
            g = -tf.math.log(-tf.math.log(u))
            soft = tf.nn.softmax((logits + g) / tau)
            hard = tf.one_hot(tf.argmax(soft, axis=-1), 3)
            return tf.stop_gradient(hard - soft) + soft


        for step in range(10):
            with tf.GradientTape() as tape:
                reward = tf.reduce_mean(tf.reduce_sum(sample(logits, 0.7) * payoff, axis=-1))
                loss = -reward
            logits.assign_sub(1.0 * tape.gradient(loss, logits))
        print("RESULT:", reward.numpy())
    """,
    ),
    Program(
        "ordinal_embedding_with_padding_idx",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(35)
        PAD = 0
        docs = [[4, 2, 7], [1], [3, 3, 5, 6], [2, 8]]
        width = max(map(len, docs))
        ids = tf.constant([d + [PAD] * (width - len(d)) for d in docs])
        labels = tf.constant([[1.0], [0.0], [1.0], [0.0]])
        table = tf.Variable(rng.normal(0, 0.2, (9, 4)).astype("float32"))
        table[PAD].assign(tf.zeros(4))
        w, b = tf.Variable(rng.normal(0, 0.2, (4, 1)).astype("float32")), tf.Variable([0.0])


        def encode(ids):
            vectors = tf.nn.embedding_lookup(table, ids)
            mask = tf.cast(tf.not_equal(ids, PAD), tf.float32)[:, :, tf.newaxis]
            return tf.reduce_sum(vectors * mask, 1) / tf.maximum(tf.reduce_sum(mask, 1), 1.0)


        for epoch in range(20):
            with tf.GradientTape() as tape:
                logits = encode(ids) @ w + b
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
            g_table, g_w, g_b = tape.gradient(loss, [table, w, b])
            table.scatter_sub(tf.IndexedSlices(0.5 * g_table.values, g_table.indices))
            w.assign_sub(0.5 * g_w)
            b.assign_sub(0.5 * g_b)
        predictions = tf.cast(tf.sigmoid(encode(ids) @ w + b) > 0.5, tf.float32)
        print("RESULT:", loss.numpy(), float(tf.reduce_mean(tf.cast(predictions == labels, tf.float32))))
    """,
    ),
    Program(
        "numpy_metrics_everywhere",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(36)
        x = rng.normal(size=(50, 2)).astype("float32")
        y = (x[:, 0] ** 2 + x[:, 1] ** 2 < 1.0).astype("float32").reshape(-1, 1)
        w1 = tf.Variable(rng.normal(0, 1.0, (2, 12)).astype("float32"))
        b1 = tf.Variable(np.zeros(12, "float32"))
        w2 = tf.Variable(rng.normal(0, 0.5, (12, 1)).astype("float32"))
        b2 = tf.Variable(np.zeros(1, "float32"))
        variables = [w1, b1, w2, b2]
        report = []
        for epoch in range(30):
            with tf.GradientTape() as tape:
                hidden = tf.nn.relu(x @ w1 + b1)
                logits = hidden @ w2 + b2
                loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
                probabilities = tf.sigmoid(logits).numpy()
                alive = np.mean(hidden.numpy() > 0)
                accuracy = np.mean((probabilities > 0.5) == (y > 0.5))
            grads = tape.gradient(loss, variables)
            norms = np.array([np.linalg.norm(g.numpy()) for g in grads])
            lr = 0.5 if norms.max() < 1.0 else 0.5 / norms.max()
            for v, g in zip(variables, grads):
                v.assign(v - lr * g)
            report.append(dict(loss=loss.numpy().item(), accuracy=accuracy, alive=alive, norm=float(norms.max())))
        print("RESULT:", report[-1]["loss"], report[-1]["accuracy"])
    """,
    ),
    Program(
        "learning_rate_from_loss_plateau",
        None,
        """
        import numpy as np
        import tensorflow as tf

        x = tf.Variable([3.0, -2.0])
        lr, best, bad = 0.4, float("inf"), 0
        for step in range(60):
            with tf.GradientTape() as tape:
                f = tf.reduce_sum(tf.abs(x)) + 0.1 * tf.reduce_sum(x ** 2)
            g = tape.gradient(f, x)
            current = f.numpy()
            if current < best - 1e-4:
                best, bad = current, 0
            else:
                bad += 1
                if bad == 2:
                    lr, bad = lr * 0.5, 0
            x.assign_sub(lr * g)
        print("RESULT:", best, lr)
    """,
    ),
    Program(
        "siamese_margin_loss",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(38)
        a = rng.normal(size=(14, 4)).astype("float32")
        b = a + 0.2 * rng.normal(size=(14, 4)).astype("float32")
        b[7:] = rng.normal(2.0, 1.0, size=(7, 4))
        same = np.r_[np.ones(7), np.zeros(7)].astype("float32")
        w = tf.Variable(rng.normal(0, 0.5, (4, 3)).astype("float32"))


        def distance(u, v):
            return tf.sqrt(tf.maximum(tf.reduce_sum(tf.square(u - v), axis=1), 1e-7))


        for _ in range(15):
            with tf.GradientTape() as tape:
                d = distance(a @ w, b @ w)
                loss = tf.reduce_mean(same * d ** 2 + (1.0 - same) * tf.maximum(1.0 - d, 0.0) ** 2)
            w.assign_sub(0.05 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "triplet_with_hard_mining",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(39)
        labels = tf.constant([0, 0, 1, 1, 2, 2])
        x = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
        w = tf.Variable(rng.normal(0, 0.4, (5, 2)).astype("float32"))


        def pairwise(e):
            dot = tf.matmul(e, e, transpose_b=True)
            sq = tf.linalg.diag_part(dot)
            d2 = tf.maximum(sq[None, :] - 2.0 * dot + sq[:, None], 0.0)
            zero = tf.cast(tf.equal(d2, 0.0), tf.float32)
            return tf.sqrt(d2 + zero * 1e-16) * (1.0 - zero)


        same = tf.equal(labels[None, :], labels[:, None])
        for _ in range(5):
            with tf.GradientTape() as tape:
                d = pairwise(x @ w)
                positive = tf.reduce_max(tf.where(same, d, tf.zeros_like(d)), axis=1)
                negative = tf.reduce_min(tf.where(same, d + tf.reduce_max(d), d), axis=1)
                loss = tf.reduce_mean(tf.maximum(positive - negative + 0.2, 0.0))
            w.assign_sub(0.05 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "kalman_filter_likelihood",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(40)
        signal = np.cumsum(rng.normal(0, 0.3, 30))
        obs = (signal + rng.normal(0, 0.5, 30)).astype("float32")
        log_q, log_r = tf.Variable(0.0), tf.Variable(0.0)


        def negative_log_likelihood():
            q, r = tf.exp(log_q), tf.exp(log_r)
            mean, var, total = tf.constant(0.0), tf.constant(1.0), 0.0
            for z in obs:
                var = var + q
                s = var + r
                innovation = z - mean
                total += 0.5 * (tf.math.log(2 * np.pi * s) + innovation ** 2 / s)
                gain = var / s
                mean = mean + gain * innovation
                var = (1.0 - gain) * var
            return total / len(obs)


        for _ in range(15):
            with tf.GradientTape() as tape:
                nll = negative_log_likelihood()
            gq, gr = tape.gradient(nll, [log_q, log_r])
            log_q.assign_sub(0.5 * gq)
            log_r.assign_sub(0.5 * gr)
        print("RESULT:", nll.numpy(), np.exp([log_q.numpy(), log_r.numpy()]))
    """,
    ),
    Program(
        "hmm_forward_log_space",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(41)
        observations = rng.integers(0, 3, 12)
        start = tf.Variable(tf.zeros(2))
        transition = tf.Variable(tf.constant([[1.0, -1.0], [-1.0, 1.0]]))
        emission = tf.Variable(rng.normal(size=(2, 3)).astype("float32"))
        variables = [start, transition, emission]


        def log_likelihood():
            log_a = tf.nn.log_softmax(transition, axis=1)
            log_b = tf.nn.log_softmax(emission, axis=1)
            alpha = tf.nn.log_softmax(start) + log_b[:, observations[0]]
            for o in observations[1:]:
                alpha = tf.reduce_logsumexp(alpha[:, None] + log_a, axis=0) + log_b[:, o]
            return tf.reduce_logsumexp(alpha)


        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = -log_likelihood()
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "matrix_factorisation_observed_only",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(42)
        ratings = rng.integers(1, 6, (8, 6)).astype("float32")
        ratings[rng.random((8, 6)) < 0.4] = np.nan
        observed = ~np.isnan(ratings)
        filled = np.where(observed, ratings, 0.0).astype("float32")
        mask = observed.astype("float32")
        mean = np.nanmean(ratings).astype("float32")
        users = tf.Variable(rng.normal(0, 0.1, (8, 2)).astype("float32"))
        items = tf.Variable(rng.normal(0, 0.1, (6, 2)).astype("float32"))
        bu, bi = tf.Variable(tf.zeros([8, 1])), tf.Variable(tf.zeros([1, 6]))
        variables = [users, items, bu, bi]
        for _ in range(40):
            with tf.GradientTape() as tape:
                predicted = mean + bu + bi + users @ tf.transpose(items)
                error = mask * (predicted - filled)
                loss = tf.reduce_sum(error ** 2) / mask.sum() + 0.01 * (tf.nn.l2_loss(users) + tf.nn.l2_loss(items))
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "cox_partial_likelihood",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(43)
        x = rng.normal(size=(20, 3)).astype("float32")
        time = rng.exponential(1.0, 20).astype("float32")
        event = (rng.random(20) < 0.7).astype("float32")
        order = np.argsort(-time)
        x, event = x[order], event[order]
        beta = tf.Variable(tf.zeros([3, 1]))
        for _ in range(10):
            with tf.GradientTape() as tape:
                risk = tf.squeeze(x @ beta, axis=1)
                log_cum = tf.math.log(tf.cumsum(tf.exp(risk)))
                loss = -tf.reduce_sum((risk - log_cum) * event) / tf.reduce_sum(event)
            beta.assign_sub(0.2 * tape.gradient(loss, beta))
        print("RESULT:", beta.numpy().ravel())
    """,
    ),
    Program(
        "neural_ode_euler",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(44)
        w = tf.Variable(rng.normal(0, 0.2, (2, 2)).astype("float32"))
        x0 = tf.constant([[1.0, 0.0]])
        t = np.linspace(0, 1.5, 16)
        truth = np.stack([np.cos(t), -np.sin(t)], axis=1).astype("float32")


        def integrate(x0):
            x, path = x0, [x0]
            for dt in np.diff(t):
                k1 = tf.tanh(x @ w)
                k2 = tf.tanh((x + 0.5 * dt * k1) @ w)
                x = x + dt * k2
                path.append(x)
            return tf.concat(path, axis=0)


        for step in range(20):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.reduce_sum((integrate(x0) - truth) ** 2, axis=1))
            w.assign_sub(0.2 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "deep_sets_and_pooling",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(45)
        sets = [rng.normal(size=(n, 2)).astype("float32") for n in (3, 5, 2, 4)]
        targets = np.array([s.max() for s in sets], "float32")
        segment = np.repeat(np.arange(4), [len(s) for s in sets])
        stacked = np.concatenate(sets)
        phi = tf.Variable(rng.normal(0, 0.5, (2, 6)).astype("float32"))
        rho = tf.Variable(rng.normal(0, 0.5, (6, 1)).astype("float32"))
        for _ in range(10):
            with tf.GradientTape() as tape:
                h = tf.nn.softplus(stacked @ phi)
                pooled = tf.math.segment_max(h, segment)
                out = tf.squeeze(pooled @ rho, -1)
                loss = tf.reduce_mean((out - targets) ** 2)
            for v, g in zip([phi, rho], tape.gradient(loss, [phi, rho])):
                v.assign_sub(0.05 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "graph_convolution_masked_nodes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(46)
        n, classes = 10, 3
        edges = rng.integers(0, n, (20, 2))
        a = np.eye(n, dtype="float32")
        a[edges[:, 0], edges[:, 1]] = a[edges[:, 1], edges[:, 0]] = 1.0
        d = a.sum(1)
        a_hat = tf.constant(a / np.sqrt(d[:, None] * d[None, :]))
        x = tf.constant(rng.normal(size=(n, 4)).astype("float32"))
        y = rng.integers(0, classes, n)
        train_mask = np.zeros(n, "float32")
        train_mask[:5] = 1.0
        w0 = tf.Variable(rng.normal(0, 0.4, (4, 8)).astype("float32"))
        w1 = tf.Variable(rng.normal(0, 0.4, (8, classes)).astype("float32"))
        for epoch in range(10):
            with tf.GradientTape() as tape:
                h = tf.nn.dropout(tf.nn.relu(a_hat @ (x @ w0)), 0.3, seed=epoch)
                logits = a_hat @ (h @ w1)
                per_node = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                loss = tf.reduce_sum(per_node * train_mask) / tf.reduce_sum(train_mask)
            for v, g in zip([w0, w1], tape.gradient(loss, [w0, w1])):
                v.assign_sub(0.3 * g)
            accuracy = np.mean(np.argmax(logits.numpy(), 1)[5:] == y[5:])
        print("RESULT:", loss.numpy(), accuracy)
    """,
    ),
    Program(
        "bandit_reinforce_logits",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(47)
        theta = tf.Variable(tf.zeros(4))
        means = np.array([0.1, 0.5, 0.9, 0.2])
        baseline = 0.0
        rng = np.random.default_rng(47)
        for t in range(30):
            with tf.GradientTape() as tape:
                log_probs = tf.nn.log_softmax(theta)
                action = tf.random.categorical(log_probs[None, :], 1)[0, 0]
                reward = float(rng.normal(means[int(action)], 0.1))
                loss = -(reward - baseline) * log_probs[action]
            theta.assign_sub(0.3 * tape.gradient(loss, theta))
            baseline = 0.9 * baseline + 0.1 * reward
        print("RESULT:", tf.nn.softmax(theta).numpy())
    """,
    ),
    Program(
        "per_sample_gradient_clipping_dp",
        None,
        """
        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(48)
        rng = np.random.default_rng(48)
        x = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
        y = tf.constant(rng.normal(size=(12,)).astype("float32"))
        w = tf.Variable(tf.zeros([3]))
        for _ in range(5):
            with tf.GradientTape(persistent=True) as tape:
                losses = (tf.linalg.matvec(x, w) - y) ** 2
            jac = tape.jacobian(losses, w)
            norms = tf.norm(jac, axis=1, keepdims=True)
            clipped = jac * tf.minimum(1.0, 1.0 / (norms + 1e-9))
            noisy = tf.reduce_mean(clipped, 0) + tf.random.normal([3], stddev=0.01)
            w.assign_sub(0.2 * noisy)
            del tape
        print("RESULT:", w.numpy())
    """,
    ),
    Program(
        "integrated_gradients",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(49)
        w1 = tf.constant(rng.normal(size=(5, 7)).astype("float32"))
        w2 = tf.constant(rng.normal(size=(7, 3)).astype("float32"))


        def model(x):
            return tf.nn.softmax(tf.nn.relu(x @ w1) @ w2)


        x = tf.constant(rng.normal(size=(1, 5)).astype("float32"))
        baseline = tf.zeros_like(x)
        alphas = tf.linspace(0.0, 1.0, 21)
        points = baseline + alphas[:, tf.newaxis] * (x - baseline)
        label = int(tf.argmax(model(x)[0]))
        with tf.GradientTape() as tape:
            tape.watch(points)
            p = model(points)[:, label]
        grads = tape.gradient(p, points)
        average = tf.reduce_mean((grads[:-1] + grads[1:]) / 2.0, axis=0)
        attribution = (x - baseline) * average
        gap = tf.reduce_sum(attribution) - (model(x)[0, label] - model(baseline)[0, label])
        print("RESULT:", attribution.numpy(), abs(float(gap)) < 0.05)
    """,
    ),
    Program(
        "unconnected_zero_two_players",
        None,
        """
        import tensorflow as tf

        x, y = tf.Variable(1.0), tf.Variable(-0.5)
        for _ in range(20):
            with tf.GradientTape(persistent=True) as tape:
                fx = (x - 1.0) ** 2 + 0.5 * x * y
                fy = (y + 1.0) ** 2
            gx = tape.gradient(fx, x)
            gy = tape.gradient(fy, y)
            cross = tape.gradient(fy, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
            del tape
            x.assign_sub(0.1 * (gx + cross))
            y.assign_sub(0.1 * gy)
        print("RESULT:", x.numpy(), y.numpy())
    """,
    ),
    Program(
        "dynamic_loss_scaling_overflows",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(1)
        x = rng.normal(size=(16, 4)).astype("float16")
        y = rng.normal(size=(16, 1)).astype("float16")
        w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        scale, skipped = 2.0 ** 24, 0
        for step in range(30):
            with tf.GradientTape() as tape:
                pred = tf.matmul(x, tf.cast(w, tf.float16))
                loss = tf.reduce_mean((pred - y) ** 2)
                scaled = loss * tf.cast(scale, tf.float16)
            grad = tape.gradient(scaled, w) / scale
            if not bool(tf.reduce_all(tf.math.is_finite(grad))):
                scale /= 2.0
                skipped += 1
                continue
            w.assign_sub(0.1 * grad)
        print("RESULT:", loss.numpy(), scale, skipped)
    """,
    ),
    Program(
        "sinkhorn_log_domain",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(2)
        a = tf.Variable(rng.normal(size=(6, 2)).astype("float32"))
        b = tf.constant(rng.normal(1.0, 1.0, size=(6, 2)).astype("float32"))


        def sinkhorn(cost, eps=0.5, iterations=10):
            log_p = -cost / eps
            for _ in range(iterations):
                log_p = log_p - tf.reduce_logsumexp(log_p, axis=1, keepdims=True)
                log_p = log_p - tf.reduce_logsumexp(log_p, axis=0, keepdims=True)
            return tf.exp(log_p) / cost.shape[0]


        for _ in range(5):
            with tf.GradientTape() as tape:
                cost = tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
                loss = tf.reduce_sum(sinkhorn(cost) * cost)
            a.assign_sub(0.2 * tape.gradient(loss, a))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "clip_symmetric_loss",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)
        n = 8
        images, texts = rng.normal(size=(n, 6)).astype("float32"), rng.normal(size=(n, 5)).astype("float32")
        wi = tf.Variable(rng.normal(0, 0.4, (6, 4)).astype("float32"))
        wt = tf.Variable(rng.normal(0, 0.4, (5, 4)).astype("float32"))
        log_scale = tf.Variable(1.0)
        labels = tf.range(n)
        for _ in range(5):
            with tf.GradientTape() as tape:
                i = tf.math.l2_normalize(images @ wi, axis=-1)
                t = tf.math.l2_normalize(texts @ wt, axis=-1)
                sims = tf.exp(log_scale) * i @ tf.transpose(t)
                by_row = tf.gather(tf.nn.log_softmax(sims, axis=1), labels, batch_dims=1)
                by_column = tf.gather(tf.nn.log_softmax(sims, axis=0), labels, batch_dims=1)
                loss = -0.5 * tf.reduce_mean(by_row + by_column)
            for v, g in zip([wi, wt, log_scale], tape.gradient(loss, [wi, wt, log_scale])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "elastic_weight_consolidation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        b = tf.Variable([0.0])
        tasks = [(rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(10, 1)).astype("float32")) for _ in range(2)]


        def loss_on(x, y):
            return tf.reduce_mean((x @ w + b - y) ** 2)


        for _ in range(10):
            with tf.GradientTape() as tape:
                loss = loss_on(*tasks[0])
            for v, g in zip([w, b], tape.gradient(loss, [w, b])):
                v.assign_sub(0.1 * g)
        anchor = [tf.identity(v) for v in (w, b)]
        with tf.GradientTape() as tape:
            final = loss_on(*tasks[0])
        fisher = [g ** 2 for g in tape.gradient(final, [w, b])]
        for _ in range(10):
            with tf.GradientTape() as tape:
                penalty = tf.add_n([tf.reduce_sum(f * (v - a) ** 2) for f, v, a in zip(fisher, (w, b), anchor)])
                loss = loss_on(*tasks[1]) + 5.0 * penalty
            for v, g in zip([w, b], tape.gradient(loss, [w, b])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "sharpness_aware_minimisation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        x, y = rng.normal(size=(20, 3)).astype("float32"), rng.normal(size=(20, 1)).astype("float32")
        params = [tf.Variable(rng.normal(0, 0.3, (3, 4)).astype("float32")), tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))]


        def loss_fn():
            return tf.reduce_mean((tf.tanh(x @ params[0]) @ params[1] - y) ** 2)


        for step in range(5):
            with tf.GradientTape() as tape:
                loss = loss_fn()
            grads = tape.gradient(loss, params)
            norm = tf.linalg.global_norm(grads)
            shifts = [0.05 * g / (norm + 1e-12) for g in grads]
            for p, e in zip(params, shifts):
                p.assign_add(e)
            with tf.GradientTape() as tape:
                perturbed = loss_fn()
            sharp = tape.gradient(perturbed, params)
            for p, e, g in zip(params, shifts, sharp):
                p.assign_sub(e)
                p.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy(), perturbed.numpy())
    """,
    ),
    Program(
        "hamiltonian_monte_carlo",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        precision = tf.constant([[2.0, 0.3], [0.3, 1.0]])


        def log_prob(q):
            return -0.5 * tf.reduce_sum(q * tf.linalg.matvec(precision, q))


        def force(q):
            with tf.GradientTape() as tape:
                tape.watch(q)
                value = log_prob(q)
            return tape.gradient(value, q)


        q = tf.zeros(2)
        accepted = 0
        for _ in range(8):
            p = tf.constant(rng.normal(size=2).astype("float32"))
            new_q, new_p = q, p + 0.05 * force(q)
            for _ in range(5):
                new_q = new_q + 0.1 * new_p
                new_p = new_p + 0.1 * force(new_q)
            new_p = new_p - 0.05 * force(new_q)
            delta = float(log_prob(new_q) - 0.5 * tf.reduce_sum(new_p ** 2) - log_prob(q) + 0.5 * tf.reduce_sum(p ** 2))
            if np.log(rng.random()) < delta:
                q, accepted = new_q, accepted + 1
        print("RESULT:", q.numpy(), accepted)
    """,
    ),
    Program(
        "implicit_layer_custom_gradient",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        w = tf.Variable((rng.normal(0, 0.2, (3, 3))).astype("float32"))
        u = tf.Variable(rng.normal(0, 0.5, (2, 3)).astype("float32"))
        x = tf.constant(rng.normal(size=(4, 2)).astype("float32"))


        @tf.custom_gradient
        def equilibrium(drive, weight):
            z = tf.zeros_like(drive)
            for _ in range(40):
                z = tf.tanh(drive + z @ weight)

            def grad(dz):
                slope = 1.0 - z ** 2
                v = dz
                for _ in range(40):
                    v = dz + (v * slope) @ tf.transpose(weight)
                d_drive = v * slope
                return d_drive, tf.transpose(z) @ d_drive

            return z, grad


        for _ in range(5):
            with tf.GradientTape() as tape:
                z = equilibrium(x @ u, w)
                loss = tf.reduce_mean((z - 0.3) ** 2)
            gw, gu = tape.gradient(loss, [w, u])
            w.assign_sub(0.5 * gw)
            u.assign_sub(0.5 * gu)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "irls_weights_from_numpy",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        x = np.c_[np.ones(20), rng.normal(size=20)].astype("float32")
        y = (x @ [1.0, 2.0] + rng.standard_t(2, 20)).astype("float32")
        beta = tf.Variable([0.0, 0.0])
        for outer in range(5):
            residual = y - tf.linalg.matvec(tf.constant(x), beta).numpy()
            weight = 1.0 / np.maximum(np.abs(residual), 1e-3)
            for inner in range(20):
                with tf.GradientTape() as tape:
                    error = y - tf.linalg.matvec(tf.constant(x), beta)
                    loss = tf.reduce_mean(weight * error ** 2)
                beta.assign_sub(0.02 * tape.gradient(loss, beta))
        print("RESULT:", beta.numpy())
    """,
    ),
    Program(
        "hard_example_mining",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(9)
        x = rng.normal(size=(32, 4)).astype("float32")
        y = rng.integers(0, 3, 32)
        w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
        for epoch in range(5):
            with tf.GradientTape() as tape:
                per_sample = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x @ w)
                hardest = np.argsort(per_sample.numpy())[-8:]
                loss = tf.reduce_mean(tf.gather(per_sample, hardest))
            w.assign_sub(0.3 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "pseudo_label_self_training",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        labelled, unlabelled = rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(30, 3)).astype("float32")
        y = rng.integers(0, 2, 10)
        w = tf.Variable(rng.normal(0, 0.5, (3, 2)).astype("float32"))
        for step in range(6):
            with tf.GradientTape() as tape:
                supervised = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, labelled @ w))
                logits = unlabelled @ w
                p = tf.nn.softmax(logits)
                confident = tf.cast(tf.reduce_max(p, axis=1) > 0.7, tf.float32)
                guess = tf.argmax(logits, axis=1)
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(guess, logits)
                loss = supervised + tf.math.divide_no_nan(tf.reduce_sum(ce * confident), tf.reduce_sum(confident))
            w.assign_sub(0.5 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "gradnorm_balancing",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        shared = tf.Variable(rng.normal(0, 0.3, (4, 5)).astype("float32"))
        heads = [tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32")) for _ in range(2)]
        x = rng.normal(size=(12, 4)).astype("float32")
        ys = [rng.normal(size=(12, 1)).astype("float32"), 10 * rng.normal(size=(12, 1)).astype("float32")]
        weights = [1.0, 1.0]
        for step in range(5):
            with tf.GradientTape(persistent=True) as tape:
                h = tf.tanh(x @ shared)
                losses = [tf.reduce_mean((h @ head - y) ** 2) for head, y in zip(heads, ys)]
                total = tf.add_n([w * l for w, l in zip(weights, losses)])
            norms = [float(tf.norm(tape.gradient(l, shared))) for l in losses]
            grads = tape.gradient(total, [shared, *heads])
            del tape
            mean = np.mean([w * n for w, n in zip(weights, norms)])
            weights = [0.9 * w + 0.1 * mean / n for w, n in zip(weights, norms)]
            for v, g in zip([shared, *heads], grads):
                v.assign_sub(0.02 * g)
        print("RESULT:", total.numpy(), weights)
    """,
    ),
    Program(
        "fourier_features_square",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        t = tf.constant(np.linspace(0, 1, 8, dtype="float32")[:, None])
        y = tf.constant(np.sin(6 * np.linspace(0, 1, 8)).astype("float32")[:, None])
        frequencies = tf.Variable(rng.uniform(1, 10, 8).astype("float32"))
        w = tf.Variable(rng.normal(0, 0.1, (16, 1)).astype("float32"))
        for _ in range(20):
            with tf.GradientTape() as tape:
                phase = t * frequencies
                features = tf.concat([tf.sin(phase), tf.cos(phase)], axis=1)
                loss = tf.reduce_mean((features @ w - y) ** 2)
            gf, gw = tape.gradient(loss, [frequencies, w])
            frequencies.assign_sub(0.1 * gf)
            w.assign_sub(0.1 * gw)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "safe_entropy_with_xlogy",
        None,
        """
        import numpy as np
        import tensorflow as tf

        p_true = tf.constant([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
        logits = tf.Variable([[0.1, 0.2, -0.3], [0.0, 0.4, 0.2]])
        for _ in range(5):
            with tf.GradientTape() as tape:
                q = tf.nn.softmax(logits)
                kl = tf.reduce_sum(tf.math.xlogy(p_true, p_true) - tf.math.xlogy(p_true, q), axis=1)
                loss = tf.reduce_mean(kl)
            logits.assign_sub(0.5 * tape.gradient(loss, logits))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "missing_values_masked_regression",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        x = rng.normal(size=(20, 3)).astype("float32")
        y = (x @ np.ones((3, 1))).astype("float32")
        x[rng.random((20, 3)) < 0.1] = np.nan
        y[[3, 7]] = np.nan
        known = ~np.isnan(x)
        x_filled = tf.where(known, x, 0.0)
        y_known = ~np.isnan(y)
        y_filled = np.nan_to_num(y)
        w = tf.Variable(tf.zeros([3, 1]))
        for _ in range(10):
            with tf.GradientTape() as tape:
                error = tf.where(y_known, x_filled @ w - y_filled, 0.0)
                loss = tf.reduce_sum(error ** 2) / y_known.sum()
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
    Program(
        "spectral_norm_power_iteration",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)


        class SpectralDense(tf.Module):
            def __init__(self, n_in, n_out):
                super().__init__()
                self.w = tf.Variable(rng.normal(size=(n_in, n_out)).astype("float32"), name="w")
                self.u = tf.Variable(rng.normal(size=(1, n_out)).astype("float32"), trainable=False, name="u")

            def __call__(self, x, training=True):
                v = tf.math.l2_normalize(tf.matmul(self.u, self.w, transpose_b=True))
                u = tf.math.l2_normalize(tf.matmul(v, self.w))
                u, v = tf.stop_gradient(u), tf.stop_gradient(v)
                if training:
                    self.u.assign(u)
                sigma = tf.matmul(tf.matmul(v, self.w), u, transpose_b=True)
                return x @ (self.w / sigma)


        layers = [SpectralDense(3, 6), SpectralDense(6, 1)]
        x = tf.constant(rng.normal(size=(10, 3)).astype("float32"))
        variables = [v for layer in layers for v in layer.trainable_variables]
        for _ in range(4):
            with tf.GradientTape() as tape:
                h = tf.nn.leaky_relu(layers[0](x))
                loss = -tf.reduce_mean(layers[1](h))
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.05 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "lora_zero_init_two_layers",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        frozen = [tf.constant(rng.normal(0, 0.4, (4, 4)).astype("float32")) for _ in range(2)]
        a = [tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"), name=f"a{i}") for i in range(2)]
        b = [tf.Variable(tf.zeros([1, 4]), name=f"b{i}") for i in range(2)]
        x, y = rng.normal(size=(9, 4)).astype("float32"), rng.normal(size=(9, 4)).astype("float32")
        with tf.GradientTape() as tape:
            h = x
            for f, ai, bi in zip(frozen, a, b):
                h = tf.tanh(h @ (f + ai @ bi))
            loss = tf.reduce_mean((h - y) ** 2)
        grads = tape.gradient(loss, a + b)
        print("RESULT:", [float(tf.norm(g)) for g in grads])
    """,
    ),
    Program(
        "residual_gate_zero",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(17)
        w = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"))
        gate = tf.Variable(0.0)
        head = tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"))
        x, y = rng.normal(size=(9, 4)).astype("float32"), rng.normal(size=(9, 1)).astype("float32")
        for _ in range(5):
            with tf.GradientTape() as tape:
                h = x + gate * tf.nn.relu(x @ w)
                loss = tf.reduce_mean((h @ head - y) ** 2)
            for v, g in zip([w, gate, head], tape.gradient(loss, [w, gate, head])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy(), gate.numpy())
    """,
    ),
    Program(
        "reward_zero_then_found",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        theta = tf.Variable(rng.normal(0, 0.1, (3, 2)).astype("float32"))
        for episode in range(6):
            states = rng.normal(size=(5, 3)).astype("float32")
            actions = rng.integers(0, 2, 5)
            rewards = np.zeros(5, dtype="float32")
            if episode >= 3:
                rewards[-1] = 1.0
            returns = np.cumsum(rewards[::-1])[::-1].copy()
            with tf.GradientTape() as tape:
                logp = tf.nn.log_softmax(states @ theta)
                chosen = tf.gather(logp, actions, batch_dims=1)
                loss = -tf.reduce_mean(chosen * returns)
            theta.assign_sub(0.1 * tape.gradient(loss, theta))
        print("RESULT:", theta.numpy().ravel())
    """,
    ),
    Program(
        "page_rank_column_stochastic",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        links = tf.Variable(rng.normal(size=(5, 5)).astype("float32"))
        goal = tf.constant([0.4, 0.3, 0.1, 0.1, 0.1])
        for _ in range(5):
            with tf.GradientTape() as tape:
                transition = tf.nn.softmax(links, axis=0)
                rank = tf.fill([5, 1], 0.2)
                for _ in range(10):
                    rank = 0.85 * tf.matmul(transition, rank) + 0.03
                loss = tf.reduce_sum((tf.squeeze(rank, 1) - goal) ** 2)
            links.assign_sub(5.0 * tape.gradient(loss, links))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "teacher_forcing_schedule",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(20)
        w = tf.Variable(rng.normal(0, 0.3, (3, 3)).astype("float32"))
        out = tf.Variable(rng.normal(0, 0.3, (3, 4)).astype("float32"))
        emb = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
        target = tf.constant([1, 3, 2, 0, 2])
        variables = [w, out, emb]
        for epoch in range(4):
            with tf.GradientTape() as tape:
                h, token, total = tf.zeros([1, 3]), tf.constant([0]), 0.0
                for t in range(5):
                    h = tf.tanh(tf.nn.embedding_lookup(emb, token) + h @ w)
                    logits = h @ out
                    total += tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target[t : t + 1], logits=logits)[0]
                    use_truth = rng.random() < 0.5
                    token = target[t : t + 1] if use_truth else tf.argmax(logits, axis=1, output_type=tf.int32)
                loss = total / 5.0
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * tf.convert_to_tensor(g))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "wasserstein_weight_clipping",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(21)
        critic = [tf.Variable(rng.normal(0, 0.02, (2, 6)).astype("float32")), tf.Variable(rng.normal(0, 0.02, (6, 1)).astype("float32"))]
        gen = tf.Variable([[0.5, 0.1], [0.0, 0.4]])


        def f(x):
            return tf.nn.relu(x @ critic[0]) @ critic[1]


        for step in range(6):
            z = rng.normal(size=(12, 2)).astype("float32")
            real = rng.normal(2, 1, size=(12, 2)).astype("float32")
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(f(tf.stop_gradient(z @ gen))) - tf.reduce_mean(f(real))
            for v, g in zip(critic, tape.gradient(loss, critic)):
                v.assign(tf.clip_by_value(v - 0.05 * g, -0.1, 0.1))
            with tf.GradientTape() as tape:
                g_loss = -tf.reduce_mean(f(z @ gen))
            gen.assign_sub(0.5 * tape.gradient(g_loss, gen))
        print("RESULT:", loss.numpy(), g_loss.numpy())
    """,
    ),
    Program(
        "ot_assignment_gradient_free_log",
        None,
        """
        import numpy as np
        import tensorflow as tf
        from itertools import permutations

        rng = np.random.default_rng(22)
        slots = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        objects = tf.constant(rng.normal(size=(3, 2)).astype("float32"))
        for _ in range(10):
            with tf.GradientTape() as tape:
                cost = tf.reduce_sum((slots[:, None] - objects[None]) ** 2, axis=-1)
                table = cost.numpy()
                best = min(permutations(range(3)), key=lambda p: sum(table[i, j] for i, j in enumerate(p)))
                loss = tf.reduce_mean(tf.gather_nd(cost, [[i, j] for i, j in enumerate(best)]))
            slots.assign_sub(0.3 * tape.gradient(loss, slots))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "none_counted_and_asserted",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(23)
        encoder, decoder = [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in ((4, 2), (2, 4))]
        x = rng.normal(size=(6, 4)).astype("float32")
        variables = [encoder, decoder]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ encoder @ decoder - x) ** 2)
        grads = tape.gradient(loss, variables)
        missing = [v.name for v, g in zip(variables, grads) if g is None]
        assert not missing
        assert all(g is not None for g in grads)
        print("RESULT:", loss.numpy(), len(missing))
    """,
    ),
    Program(
        "annealed_temperature_argument",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(24)
        logits = tf.Variable(rng.normal(size=(6,)).astype("float32"))
        costs = tf.constant(rng.random(6).astype("float32"))


        @tf.function
        def step(temperature):
            with tf.GradientTape() as tape:
                p = tf.nn.softmax(logits / temperature)
                loss = tf.reduce_sum(p * costs)
            return loss, tape.gradient(loss, logits)


        for epoch in range(5):
            loss, grad = step(tf.constant(2.0 * 0.8 ** epoch))
            logits.assign_sub(grad)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "trace_counter_and_history",
        None,
        """
        import tensorflow as tf

        TRACES = 0


        class Trainer:
            def __init__(self):
                self.w = tf.Variable([3.0, 1.0])
                self.history = []
                self.epoch = 0
                self.lr = 0.1

            @tf.function
            def step(self, x):
                global TRACES
                TRACES += 1
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum((self.w * x - 1.0) ** 2)
                grad = tape.gradient(loss, self.w)
                self.w.assign_sub(self.lr * grad)
                return loss

            def fit(self, epochs):
                for self.epoch in range(epochs):
                    self.history.append(float(self.step(tf.constant([1.0, 0.5]))))


        t = Trainer()
        t.fit(4)
        print("RESULT:", t.history[-1], t.epoch)
    """,
    ),
    Program(
        "retraced_for_python_arguments",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([1.0, -1.0])


        @tf.function
        def step(x, scale, training):
            with tf.GradientTape() as tape:
                y = tf.tanh(w * x) * scale
                if training:
                    y = y * 2.0
                loss = tf.reduce_sum(y ** 2)
            return loss, tape.gradient(loss, w)


        for scale, training in [(1.0, True), (0.5, True), (0.5, False)]:
            loss, grad = step(tf.constant([1.0, 2.0]), scale, training)
            w.assign_sub(0.1 * grad)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "gradient_reversal_domain_adaptation",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(3)


        @tf.custom_gradient
        def reverse(x):
            def grad(dy):
                return -0.3 * dy

            return tf.identity(x), grad


        f = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
        label = tf.Variable(rng.normal(0, 0.3, (3, 2)).astype("float32"))
        domain = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
        x, y = rng.normal(size=(10, 4)).astype("float32"), rng.integers(0, 2, 10)
        d = np.repeat([[0.0], [1.0]], 5, axis=0).astype("float32")
        for _ in range(4):
            with tf.GradientTape() as tape:
                h = tf.nn.relu(x @ f)
                task = tf.nn.sparse_softmax_cross_entropy_with_logits(y[:5], h[:5] @ label)
                dom = tf.nn.sigmoid_cross_entropy_with_logits(d, reverse(h) @ domain)
                loss = tf.reduce_mean(task) + tf.reduce_mean(dom)
            for v, g in zip([f, label, domain], tape.gradient(loss, [f, label, domain])):
                v.assign_sub(0.2 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "nuclear_norm_of_low_rank",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(4)
        truth = (rng.normal(size=(6, 2)) @ rng.normal(size=(2, 5))).astype("float32")
        seen = rng.random((6, 5)) < 0.7
        m = tf.Variable(np.where(seen, truth, 0.0).astype("float32"))
        for _ in range(10):
            with tf.GradientTape() as tape:
                fit = tf.reduce_sum(tf.where(seen, m - truth, 0.0) ** 2)
                loss = fit + 0.1 * tf.reduce_sum(tf.linalg.svd(m, compute_uv=False))
            m.assign_sub(0.05 * tape.gradient(loss, m))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "zero_times_all_variables",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(5)
        a, b = [tf.Variable(rng.normal(size=3).astype("float32")) for _ in range(2)]
        x = tf.constant([1.0, 2.0, 3.0])
        for step in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((a * x) ** 2) if step % 2 == 0 else tf.reduce_sum((b * x) ** 2)
                loss = loss + 0.0 * (tf.reduce_sum(a) + tf.reduce_sum(b))
            for v, g in zip([a, b], tape.gradient(loss, [a, b])):
                v.assign_sub(0.01 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "moco_queue",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(6)
        q_enc = tf.Variable(rng.normal(0, 0.4, (5, 3)).astype("float32"))
        k_enc = tf.Variable(q_enc, trainable=False)
        queue = tf.Variable(tf.math.l2_normalize(rng.normal(size=(12, 3)).astype("float32"), axis=1), trainable=False)
        for step in range(4):
            base = rng.normal(size=(4, 5)).astype("float32")
            with tf.GradientTape() as tape:
                q = tf.math.l2_normalize((base + 0.1) @ q_enc, axis=1)
                k = tf.stop_gradient(tf.math.l2_normalize((base - 0.1) @ k_enc, axis=1))
                positive = tf.reduce_sum(q * k, axis=1, keepdims=True)
                negative = q @ tf.transpose(queue)
                logits = tf.concat([positive, negative], axis=1) / 0.1
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros(4, tf.int32), logits))
                queue.assign(tf.concat([k, queue[:-4]], axis=0))
            q_enc.assign_sub(0.1 * tape.gradient(loss, q_enc))
            k_enc.assign(0.99 * k_enc + 0.01 * q_enc)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "vq_ema_codebook",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(7)
        enc = tf.Variable(rng.normal(0, 0.4, (4, 2)).astype("float32"))
        dec = tf.Variable(rng.normal(0, 0.4, (2, 4)).astype("float32"))
        codes = tf.Variable(rng.normal(0, 0.5, (5, 2)).astype("float32"), trainable=False)
        count = tf.Variable(tf.ones(5), trainable=False)
        total = tf.Variable(codes, trainable=False)
        x = tf.constant(rng.normal(size=(20, 4)).astype("float32"))


        def quantise(z, training):
            d = tf.reduce_sum(z ** 2, 1, keepdims=True) - 2 * z @ tf.transpose(codes) + tf.reduce_sum(codes ** 2, 1)
            onehot = tf.one_hot(tf.argmin(d, 1), 5)
            q = onehot @ codes
            latent = tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
            if training:
                count.assign(0.9 * count + 0.1 * tf.reduce_sum(onehot, 0))
                total.assign(0.9 * total + 0.1 * tf.matmul(onehot, z, transpose_a=True))
                codes.assign(total / count[:, None])
            return z + tf.stop_gradient(q - z), latent


        for _ in range(4):
            with tf.GradientTape() as tape:
                q, latent = quantise(x @ enc, True)
                loss = tf.reduce_mean((q @ dec - x) ** 2) + 0.25 * latent
            for v, g in zip([enc, dec], tape.gradient(loss, [enc, dec])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "multi_task_missing_labels_first_batch",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(8)
        trunk = tf.Variable(rng.normal(0, 0.3, (4, 5)).astype("float32"))
        head_a = tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32"))
        head_b = tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32"))
        variables = [trunk, head_a, head_b]
        for step in range(4):
            x = rng.normal(size=(6, 4)).astype("float32")
            ya, yb = rng.normal(size=(2, 6, 1)).astype("float32")
            has_b = np.full((6, 1), step > 0, dtype="float32")
            with tf.GradientTape() as tape:
                h = tf.nn.relu(x @ trunk)
                loss_a = tf.reduce_mean((h @ head_a - ya) ** 2)
                loss_b = tf.reduce_sum(has_b * (h @ head_b - yb) ** 2) / tf.maximum(tf.reduce_sum(has_b), 1.0)
                loss = loss_a + loss_b
            for v, g in zip(variables, tape.gradient(loss, variables)):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "py_function_logging_only",
        None,
        """
        import numpy as np
        import tensorflow as tf

        seen = []
        w = tf.Variable([1.0, 2.0])


        def note(value):
            seen.append(float(value))
            return np.float32(0.0)


        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w ** 2)
                tf.py_function(note, [loss], tf.float32)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", seen)
    """,
    ),
    Program(
        "augmentation_by_numpy_function",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(10)
        k = tf.Variable(rng.normal(0, 0.3, (3, 3, 1, 2)).astype("float32"))
        images = rng.random((4, 6, 6, 1)).astype("float32")


        def flip(batch):
            return batch[:, :, ::-1].copy() if rng.random() < 0.5 else batch


        for _ in range(3):
            batch = tf.numpy_function(flip, [images], tf.float32)
            batch = tf.ensure_shape(batch, [4, 6, 6, 1])
            with tf.GradientTape() as tape:
                h = tf.nn.relu(tf.nn.conv2d(batch, k, 1, "SAME"))
                loss = tf.reduce_mean((tf.reduce_mean(h, [1, 2]) - 0.5) ** 2)
            k.assign_sub(0.1 * tape.gradient(loss, k))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "mixture_of_softmaxes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(11)
        h = rng.normal(size=(9, 4)).astype("float32")
        y = rng.integers(0, 6, 9)
        prior = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
        experts = tf.Variable(rng.normal(0, 0.3, (3, 4, 6)).astype("float32"))
        for _ in range(4):
            with tf.GradientTape() as tape:
                pi = tf.nn.softmax(h @ prior)
                p = tf.nn.softmax(tf.einsum("bd,kdv->bkv", h, experts))
                mixed = tf.einsum("bk,bkv->bv", pi, p)
                nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.math.log(mixed))
                loss = tf.reduce_mean(nll)
            for v, g in zip([prior, experts], tape.gradient(loss, [prior, experts])):
                v.assign_sub(0.5 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "listnet_ranking",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(12)
        x = rng.normal(size=(5, 7, 3)).astype("float32")
        relevance = rng.integers(0, 4, (5, 7)).astype("float32")
        w = tf.Variable(rng.normal(0, 0.3, (3,)).astype("float32"))
        for _ in range(5):
            with tf.GradientTape() as tape:
                scores = tf.einsum("qdf,f->qd", x, w)
                loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(relevance), logits=scores))
            w.assign_sub(0.5 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "topic_model_softmaxes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(13)
        counts = rng.poisson(1.0, (8, 12)).astype("float32")
        theta_logits = tf.Variable(rng.normal(0, 0.1, (8, 3)).astype("float32"))
        beta_logits = tf.Variable(rng.normal(0, 0.1, (3, 12)).astype("float32"))
        for _ in range(6):
            with tf.GradientTape() as tape:
                theta = tf.nn.softmax(theta_logits, axis=1)
                beta = tf.nn.softmax(beta_logits, axis=1)
                words = theta @ beta
                loss = -tf.reduce_sum(counts * tf.math.log(words)) / counts.sum()
            for v, g in zip([theta_logits, beta_logits], tape.gradient(loss, [theta_logits, beta_logits])):
                v.assign_sub(5.0 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "hmm_forward_probability_space",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(14)
        obs = rng.integers(0, 3, 8)
        pi = tf.Variable(tf.zeros(3))
        a = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
        b = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
        for _ in range(5):
            with tf.GradientTape() as tape:
                start, transition, emission = tf.nn.softmax(pi), tf.nn.softmax(a, axis=1), tf.nn.softmax(b, axis=1)
                alpha = (start * emission[:, obs[0]])[None, :]
                for o in obs[1:]:
                    alpha = (alpha @ transition) * emission[:, o][None, :]
                loss = -tf.math.log(tf.reduce_sum(alpha))
            for v, g in zip([pi, a, b], tape.gradient(loss, [pi, a, b])):
                v.assign_sub(0.2 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "coattention_both_ways",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(15)
        c, q = rng.normal(size=(2, 5, 4)).astype("float32"), rng.normal(size=(2, 3, 4)).astype("float32")
        w = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"))
        out = tf.Variable(rng.normal(0, 0.4, (12, 1)).astype("float32"))
        for _ in range(3):
            with tf.GradientTape() as tape:
                s = tf.matmul(c @ w, q, transpose_b=True)
                c2q = tf.matmul(tf.nn.softmax(s, axis=2), q)
                q2c = tf.matmul(tf.nn.softmax(s, axis=2), tf.matmul(tf.nn.softmax(s, axis=1), c, transpose_a=True))
                h = tf.concat([c, c2q, q2c], axis=-1)
                loss = tf.reduce_mean((tf.reduce_mean(h @ out, axis=1) - 1.0) ** 2)
            for v, g in zip([w, out], tape.gradient(loss, [w, out])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "pairwise_ranking_with_squeeze",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(16)
        x = rng.normal(size=(9, 4)).astype("float32")
        grade = rng.integers(0, 3, 9).astype("float32")
        w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        better = tf.cast(grade[:, None] > grade[None, :], tf.float32)
        for _ in range(5):
            with tf.GradientTape() as tape:
                s = x @ w
                margin = s - tf.squeeze(s, 1)
                loss = tf.reduce_sum(better * tf.nn.softplus(-margin)) / tf.reduce_sum(better)
            w.assign_sub(0.2 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "cross_validation_fresh_models",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(17)
        x = rng.normal(size=(30, 3)).astype("float32")
        y = (x @ [[1.0], [0.0], [2.0]]).astype("float32")
        scores = []
        for fold in range(3):
            hold = np.arange(30) % 3 == fold
            w = tf.Variable(tf.zeros([3, 1]))
            for epoch in range(10):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((x[~hold] @ w - y[~hold]) ** 2)
                w.assign_sub(0.2 * tape.gradient(loss, w))
            scores.append(float(tf.reduce_mean((x[hold] @ w - y[hold]) ** 2)))
        print("RESULT:", np.mean(scores))
    """,
    ),
    Program(
        "hyperparameter_first_slopes",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(18)
        x, y = rng.normal(size=(20, 2)).astype("float32"), rng.normal(size=(20, 1)).astype("float32")


        def first_slope(scale):
            w = tf.Variable(scale * np.ones((2, 1), dtype="float32"))
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - y) ** 2)
            return float(tf.norm(tape.gradient(loss, w)))


        print("RESULT:", [round(first_slope(s), 4) for s in (0.1, 1.0, 10.0)])
    """,
    ),
    Program(
        "switch_transformer_none_experts",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(19)
        router = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
        experts = [tf.Variable(rng.normal(0, 0.3, (4, 4)).astype("float32"), name=f"e{i}") for i in range(3)]
        variables = [router, *experts]
        for step in range(5):
            x = rng.normal(size=(3, 4)).astype("float32")
            with tf.GradientTape() as tape:
                gates = tf.nn.softmax(x @ router)
                choice = tf.argmax(gates, axis=1).numpy()
                rows = []
                for i, e in enumerate(choice):
                    rows.append(gates[i, e] * tf.linalg.matvec(experts[e], x[i], transpose_a=True))
                loss = tf.reduce_mean((tf.stack(rows) - x) ** 2)
            grads = tape.gradient(loss, variables)
            for v, g in zip(variables, grads):
                if g is not None:
                    v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "teacher_student_both_in_tape",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(20)
        teacher = tf.Variable(rng.normal(size=(4, 3)).astype("float32"), trainable=False)
        student = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
        x = rng.normal(size=(10, 4)).astype("float32")
        T = 3.0
        for _ in range(5):
            with tf.GradientTape() as tape:
                soft = tf.nn.softmax(x @ teacher / T)
                log_student = tf.nn.log_softmax(x @ student / T)
                kl = tf.reduce_sum(soft * (tf.math.log(soft) - log_student), axis=1)
                loss = T ** 2 * tf.reduce_mean(kl)
            student.assign_sub(0.3 * tape.gradient(loss, student))
            teacher.assign(0.9 * teacher + 0.1 * student)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "normalised_loss_ratio",
        None,
        """
        import tensorflow as tf

        w = tf.Variable([2.0, -1.0])
        first = None
        for _ in range(6):
            with tf.GradientTape() as tape:
                fit = tf.reduce_sum((w - 1.0) ** 2)
                size = tf.reduce_sum(tf.abs(w))
                if first is None:
                    first = tf.stop_gradient(fit)
                loss = fit / first + 0.1 * size / tf.stop_gradient(size)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        print("RESULT:", loss.numpy(), w.numpy())
    """,
    ),
    Program(
        "improvement_over_previous",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(22)
        theta = tf.Variable(rng.normal(0, 0.2, (3, 2)).astype("float32"))
        s, a = rng.normal(size=(12, 3)).astype("float32"), rng.integers(0, 2, 12)
        adv = rng.normal(size=12).astype("float32")


        def surrogate(old):
            logp = tf.gather(tf.nn.log_softmax(s @ theta), a, batch_dims=1)
            return tf.reduce_mean(tf.exp(logp - old) * adv), logp


        for _ in range(3):
            old = tf.gather(tf.nn.log_softmax(s @ theta), a, batch_dims=1)
            before, _ = surrogate(old)
            with tf.GradientTape() as tape:
                after, logp = surrogate(old)
                loss = -(after - before) + 0.5 * tf.reduce_mean((logp - old) ** 2)
            theta.assign_sub(0.2 * tape.gradient(loss, theta))
        print("RESULT:", theta.numpy().ravel())
    """,
    ),
    Program(
        "masked_min_with_infinity",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(23)
        anchors = tf.Variable(rng.normal(size=(6, 2)).astype("float32"))
        labels = tf.constant([0, 0, 1, 1, 2, 2])
        same = labels[:, None] == labels[None, :]
        for _ in range(4):
            with tf.GradientTape() as tape:
                d2 = tf.reduce_sum((anchors[:, None] - anchors[None]) ** 2, -1)
                nearest_other = tf.reduce_min(tf.where(same, np.inf, d2), axis=1)
                farthest_same = tf.reduce_max(tf.where(same, d2, -np.inf), axis=1)
                loss = tf.reduce_mean(tf.nn.softplus(farthest_same - nearest_other))
            anchors.assign_sub(0.1 * tape.gradient(loss, anchors))
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "distances_that_are_never_zero",
        None,
        """
        import numpy as np
        import tensorflow as tf

        points = tf.Variable([[0.0, 0.0], [3.0, 4.0]])
        goal = tf.constant([[1.0, 0.0], [0.0, 0.0]])
        for _ in range(10):
            with tf.GradientTape() as tape:
                length = tf.norm(points - goal, axis=1)
                loss = tf.reduce_mean(length)
            g = tape.gradient(loss, points)
            points.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "relu_network_at_zero_bias",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(25)
        x = np.abs(rng.normal(size=(20, 3))).astype("float32")
        y = rng.normal(size=(20, 1)).astype("float32")
        w1 = tf.Variable(rng.normal(0, 0.5, (3, 6)).astype("float32"))
        w2 = tf.Variable(tf.zeros([6, 1]))
        for _ in range(8):
            with tf.GradientTape() as tape:
                h = tf.nn.relu(x @ w1)
                loss = tf.reduce_mean((h @ w2 - y) ** 2)
            for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
                v.assign_sub(0.1 * g)
        print("RESULT:", loss.numpy())
    """,
    ),
    Program(
        "huge_sum_loss_small_rate",
        None,
        """
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(26)
        x = rng.normal(size=(400, 3)).astype("float32")
        y = (x @ [[1.0], [2.0], [3.0]]).astype("float32")
        w = tf.Variable(tf.zeros([3, 1]))
        for _ in range(30):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((x @ w - y) ** 2)
            w.assign_sub(0.0005 * tape.gradient(loss, w))
        print("RESULT:", w.numpy().ravel())
    """,
    ),
]
