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
