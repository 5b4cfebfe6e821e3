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
