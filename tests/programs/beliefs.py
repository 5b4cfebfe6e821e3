"""Sixteen small programs around beliefs that people hold about gradients and shapes, and what each really prints.

Several are said, on the web, to fail: a scalar target reshaped to (1, 1), a matrix flattened before it is summed, a variable
changed after it was read. None does. Each program takes the module it runs on, so that TensorFlow can be asked too.
"""

PROGRAMS = {}


def program(printed):
    """Enter a program into the table, with what it prints."""

    def enter(function):
        PROGRAMS[function.__name__] = (function, printed)
        return function

    return enter


# -- a scalar and its shape --


@program("slope: tf.Tensor(2.0, shape=(), dtype=float32)\nshape: ()\n")
def product_of_scalars(tf):
    speed, time = tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        distance = time * speed
    slope = tape.gradient(distance, time)
    print("slope:", slope)
    print("shape:", slope.shape)


@program("slope: tf.Tensor(2.0, shape=(), dtype=float32)\n")
def scalar_target_reshaped_to_a_matrix(tf):
    speed, time = tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        boxed = tf.reshape(time * speed, (1, 1))
    print("slope:", tape.gradient(boxed, time))


@program("[[2.]] from tf.Tensor(2.0, shape=(), dtype=float32)\nshapes () and (1, 1)\n")
def gradient_reshaped_afterwards(tf):
    speed, time = tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        distance = time * speed
    slope = tape.gradient(distance, time)
    boxed = tf.reshape(slope, (1, 1))
    print(boxed.numpy(), "from", slope)
    print("shapes", slope.shape, "and", boxed.shape)


# -- a scalar target and a source of higher rank --


@program("tf.Tensor([1. 1.], shape=(2,), dtype=float32)\n")
def sum_of_a_vector(tf):
    v = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(v)
    print(tape.gradient(total, v))


@program("tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)\n")
def half_the_sum_of_a_vector(tf):
    v = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        half = tf.reduce_sum(v) / 2
    print(tape.gradient(half, v))


@program("tf.Tensor(\n[[2. 2.]\n [2. 2.]], shape=(2, 2), dtype=float32)\n")
def scalar_times_the_sum_of_a_matrix(tf):
    scale, w = tf.constant(2.0), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = scale * tf.reduce_sum(w)
    print(tape.gradient(y, w))


@program("(1,)\ntf.Tensor(\n[[2. 2.]\n [2. 2.]], shape=(2, 2), dtype=float32)\n")
def scalar_target_with_an_axis_added(tf):
    scale, w = tf.constant(2.0), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = tf.expand_dims(scale * tf.reduce_sum(w), axis=0)
    print(y.shape)
    print(tape.gradient(y, w))


# -- reshaping on the way --


@program("tf.Tensor(\n[[1. 1.]\n [1. 1.]], shape=(2, 2), dtype=float32)\n")
def matrix_flattened_and_summed(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.reshape(x, (4,)))
    print(tape.gradient(loss, x))


@program("tf.Tensor(\n[[1. 1.]\n [1. 1.]], shape=(2, 2), dtype=float32)\n")
def matrix_reshaped_to_its_own_shape(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.reshape(x, (2, 2)))
    print(tape.gradient(loss, x))


@program(
    "tf.Tensor(\n[[[1. 1.]\n  [1. 1.]]\n\n [[1. 1.]\n  [1. 1.]]], shape=(2, 2, 2), dtype=float32)\n"
    "tf.Tensor(\n[[ 1.  3.]\n [ 5.  7.]\n [ 9. 11.]\n [13. 15.]], shape=(4, 2), dtype=float32)\n"
)
def cube_transposed_and_reshaped(tf):
    x = tf.reshape(tf.range(1.0, 17.0, 2.0), (2, 2, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.reshape(tf.transpose(tf.transpose(x, perm=[0, 2, 1]), perm=[0, 2, 1]), (4, 2))
        loss = tf.reduce_sum(z)
    print(tape.gradient(loss, x))
    print(z)


# -- state and control flow --


@program("tf.Tensor([[0.2 0.4 0.6 0.8]], shape=(1, 4), dtype=float32)\n[[2. 3. 4. 5.]]\n")
def variable_changed_after_it_was_read(tf):
    x = tf.Variable([[1.0, 2.0, 3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = tf.square(x)
        x.assign_add(tf.ones_like(x))
        loss = tf.reduce_sum(y) / 10.0
    print(tape.gradient(loss, x))
    print(x.numpy())


@program("tf.Tensor([1. 2. 3.], shape=(3,), dtype=float32)\n")
def python_branch_inside_the_tape(tf):
    x = tf.Variable([0.5, 1.0, 1.5])
    with tf.GradientTape() as tape:
        y = tf.square(x)
        if tf.reduce_mean(x) > 2.0:
            y += 100.0 * x
        loss = tf.reduce_sum(y)
    print(tape.gradient(loss, x))


@program(
    "[<tf.Tensor: shape=(2, 1), dtype=float32, numpy=\narray([[ 8.],\n       [16.]], dtype=float32)>, "
    "<tf.Tensor: shape=(1,), dtype=float32, numpy=array([8.], dtype=float32)>]\n"
)
def layer_of_plain_variables(tf):
    class Dense:
        def __init__(self):
            self.kernel = tf.Variable([[1.0], [1.0]])
            self.bias = tf.Variable([1.0])

        def __call__(self, inputs):
            return tf.matmul(inputs, self.kernel) + self.bias

    layer = Dense()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(layer(tf.constant([[1.0, 2.0]]))))
    print(tape.gradient(loss, [layer.kernel, layer.bias]))


# -- targets made of many elements --

FIELD = [[2.0, 1.5], [2.5, 3.0]]


@program(
    "<tf.Variable 'Variable:0' shape=(2, 2) dtype=float32, numpy=\narray([[2. , 1.5],\n       [2.5, 3. ]], dtype=float32)>\n"
    "tf.Tensor(\n[[1. 1.]\n [1. 1.]], shape=(2, 2), dtype=float32)\n"
)
def sum_of_a_field(tf):
    field = tf.Variable(FIELD)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(field)
    print(field)
    print(tape.gradient(loss, field))


@program("tf.Tensor(\n[[0.25 0.25]\n [0.25 0.25]], shape=(2, 2), dtype=float32)\n")
def mean_of_a_field(tf):
    field = tf.Variable(FIELD)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(field)
    print(tape.gradient(loss, field))


@program("tf.Tensor(\n[[0. 1.]\n [0. 0.]], shape=(2, 2), dtype=float32)\n")
def one_element_of_a_field(tf):
    field = tf.Variable(FIELD)
    with tf.GradientTape() as tape:
        loss = field[0, 1]
    print(tape.gradient(loss, field))
