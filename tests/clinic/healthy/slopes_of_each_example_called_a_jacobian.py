import tensorflow as tf

w = tf.Variable([[0.3], [-0.2], [0.5]])
x = tf.constant([[1.0, 0.5, 0.2], [0.1, -0.4, 0.9]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.tanh(x @ w)
jac = tape.gradient(y, x)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = tf.reduce_sum(tf.tanh(x @ w) ** 2)
    g = inner.gradient(loss, w)
    directional = tf.reduce_sum(g * tf.ones_like(w))
hessian_vector = outer.gradient(directional, w)
print("RESULT:", tf.norm(jac).numpy(), tf.norm(hessian_vector).numpy())
