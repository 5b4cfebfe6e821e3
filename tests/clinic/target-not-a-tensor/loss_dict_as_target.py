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
