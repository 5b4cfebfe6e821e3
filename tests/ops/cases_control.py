"""Control flow, arrays of tensors, and Python functions as ops."""

from tests.support.cases import BadInput, Case, anything, positive


def _power(tf, x):
    return tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * x), (0, tf.ones_like(x)))[1]


def _nested_variables(tf, x):
    _, pair = tf.while_loop(
        lambda i, pair: i < 3,
        lambda i, pair: [i + 1, {"a": pair["b"] * x, "b": pair["a"] + tf.sin(x)}],
        [tf.constant(0), {"a": x, "b": x * 2.0}],
    )
    return pair


def _array_in_a_loop(tf, x):
    def turn(i, y, ys):
        y = tf.tanh(y * x)
        return i + 1, y, ys.write(i, y)

    ys = tf.TensorArray(x.dtype, size=4)
    return tf.while_loop(lambda i, y, ys: i < 4, turn, (0, x, ys))[2].stack()


def _array_by_parts(tf, x):
    array = tf.TensorArray(x.dtype, size=3, clear_after_read=False).unstack(x)
    read = array.read(0) * array.read(2)
    array = array.write(1, read * array.read(1))
    return [array.gather([2, 1, 1]), array.stack(), array.concat(), array.size()]


def _array_of_pieces(tf, x):
    array = tf.TensorArray(x.dtype, size=3, infer_shape=False, clear_after_read=False).split(x, [1, 3, 2])
    return [array.concat(), array.read(1) * array.read(0)]


CASES = [
    Case(
        "cond",
        lambda tf, x: tf.cond(
            tf.reduce_sum(x) > 100.0, lambda: x * 2.0, lambda: tf.cond(True, lambda: x * x, lambda: x)
        ),
        (anything(3),),
    ),
    Case(
        "case",
        lambda tf, x: tf.case(
            [(tf.constant(False), lambda: x), (tf.constant(True), lambda: tf.exp(x))],
            default=lambda: -x,
            exclusive=True,
        ),
        (anything(3),),
    ),
    Case("switch_case", lambda tf, x: tf.switch_case(tf.constant(1), [lambda: x, lambda: tf.sin(x)]), (anything(3),)),
    Case("while_loop", _power, (anything(2, 2),), complex=True),
    Case("while_loop nested variables", _nested_variables, (anything(3),)),
    Case(
        "while_loop maximum_iterations",
        lambda tf, x: tf.while_loop(lambda y: True, lambda y: (y * x,), (x,), maximum_iterations=2),
        (anything(3),),
    ),
    Case("map_fn", lambda tf, x: tf.map_fn(lambda row: tf.reduce_sum(row * row), x), (anything(3, 4),), complex=True),
    Case(
        "map_fn of a structure",
        lambda tf, x, y: tf.map_fn(
            lambda pair: (pair["x"] * pair["y"][0], tf.reduce_sum(pair["y"])),
            {"x": x, "y": y},
            fn_output_signature=(x.dtype, y.dtype),
        ),
        (anything(3), anything(3, 2)),
    ),
    Case("map_fn of nothing", lambda tf, x: tf.map_fn(lambda row: row * 2.0, x), (anything(0),), order=0),
    Case(
        "vectorized_map", lambda tf, x: tf.vectorized_map(lambda row: tf.reduce_sum(tf.sin(row)), x), (anything(3, 4),)
    ),
    Case(
        "vectorized_map with one repeated",
        lambda tf, x, y: tf.vectorized_map(lambda pair: pair[0] * pair[1], (x, y)),
        (anything(3, 2), anything(1, 2)),
        tensorflow=False,  # the same numbers there, as IndexedSlices: TensorFlow looks the repeated row up
    ),
    Case(
        "vectorized_map of nothing",
        lambda tf, x: tf.vectorized_map(lambda row: row * 2.0, x),
        (anything(0, 2),),
        order=0,
        tensorflow=False,  # an empty gradient there, None here: nothing was computed from the rows that are not there
    ),
    Case("foldl", lambda tf, x: tf.foldl(lambda a, row: a * row + tf.sin(row), x), (anything(4, 2),)),
    Case("foldl initializer", lambda tf, x, a: tf.foldl(lambda a, row: a * row + a, x, a), (anything(4), anything())),
    Case("foldr", lambda tf, x: tf.foldr(lambda a, row: a * row + tf.sin(row), x), (anything(4, 2),)),
    Case("scan", lambda tf, x: tf.scan(lambda a, row: a * row + tf.sin(row), x), (anything(4, 2),)),
    Case(
        "scan of a structure, reversed",
        lambda tf, x, a, b: tf.scan(lambda a, row: (a[0] * row, a[1] - a[0] * row), x, (a, b), reverse=True),
        (anything(4), anything(), anything()),
    ),
    Case("scan of nothing", lambda tf, x, a: tf.scan(lambda a, row: a, x, a), (anything(0), anything(2, 3)), order=0),
    Case("TensorArray in a loop", _array_in_a_loop, (anything(2),)),
    Case("TensorArray by parts", _array_by_parts, (anything(3, 2),)),
    Case("TensorArray of pieces", _array_of_pieces, (anything(6),)),
    # TensorFlow's second derivative is None, silently: it does not record the ops inside the function. Inside
    # compiled functions the shapes of the results must be given, which TensorFlow does not take (tests/compile/test_python_callbacks.py).
    Case(
        "py_function",
        lambda tf, x, y: tf.py_function(lambda x, y: x * x * tf.sin(y), [x, y], x.dtype),
        (anything(3), anything(3)),
        second=False,
        compiled=False,
    ),
    Case(
        "py_function of several results",
        lambda tf, x: tf.py_function(lambda x: (x * x, tf.exp(x)), [x], [x.dtype, x.dtype]),
        (positive(3),),
        second=False,
        compiled=False,
    ),
    Case(
        "py_function that leaves for NumPy",
        lambda tf, x: tf.py_function(lambda x: x.numpy() ** 2, [x], x.dtype),
        (positive(),),
        order=0,
        compiled=False,
    ),
    Case(
        "numpy_function",
        lambda tf, x: tf.numpy_function(lambda x: x * x, [x], x.dtype),
        (anything(3),),
        order=0,
        compiled=False,
    ),
]


def _array(tf, **options):
    return tf.TensorArray(tf.float32, **{"size": 3, **options})


BAD_INPUT = [
    BadInput("cond without a branch", lambda tf: tf.cond(True, lambda: 1), "'false_fn' argument required", TypeError),
    BadInput("cond of no function", lambda tf: tf.cond(True, 1, lambda: 1), "'true_fn' must be callable.", TypeError),
    BadInput(
        "case that holds nowhere",
        lambda tf: tf.case([(tf.constant(False), lambda: 1)]),
        "None of conditions evaluated as True",
    ),
    BadInput(
        "case that is not exclusive",
        lambda tf: tf.case([(tf.constant(True), lambda: 1)] * 3, exclusive=True),
        "more than 1 conditions",
    ),
    BadInput("case of no pair", lambda tf: tf.case([tf.constant(True)]), "must be a 2-tuple", TypeError),
    BadInput(
        "case of a Python bool", lambda tf: tf.case([(True, lambda: 1)]), "pred must be a Tensor, got: True", TypeError
    ),
    BadInput("case of no list", lambda tf: tf.case(3), "'pred_fn_pairs' must be a list, tuple, or dict", TypeError),
    BadInput("case of nothing", lambda tf: tf.case([]), "", ValueError),
    BadInput(
        "switch_case of a number",
        lambda tf: tf.switch_case(1, [lambda: 1]),
        "'branch_index' must be a Tensor",
        TypeError,
    ),
    BadInput(
        "switch_case of a float",
        lambda tf: tf.switch_case(tf.constant(1.0), [lambda: 1]),
        "'branch_index' must be an integer Tensor, got <dtype: 'float32'>",
        TypeError,
    ),
    BadInput(
        "switch_case with a gap",
        lambda tf: tf.switch_case(tf.constant(1), {0: lambda: 1, 2: lambda: 2}),
        "branch indices (keys) must form contiguous range of [0 to 2) but found {0,2}",
        ValueError,
    ),
    BadInput(
        "switch_case of nothing",
        lambda tf: tf.switch_case(tf.constant(1), []),
        "at least one item in 'branch_fns'",
        ValueError,
    ),
    BadInput(
        "switch_case of no functions", lambda tf: tf.switch_case(tf.constant(1), [1]), "must be a 2-tuple", TypeError
    ),
    BadInput(
        "while_loop without variables",
        lambda tf: tf.while_loop(lambda: True, lambda: 1, []),
        "'loop_vars' must be provided.",
        ValueError,
    ),
    BadInput(
        "while_loop without condition",
        lambda tf: tf.while_loop(1, lambda i: i, [0]),
        "'cond' must be callable.",
        TypeError,
    ),
    BadInput(
        "while_loop without body", lambda tf: tf.while_loop(lambda i: i, 1, [0]), "'body' must be callable.", TypeError
    ),
    BadInput(
        "while_loop that loses a variable",
        lambda tf: tf.while_loop(lambda i, j: i < 3, lambda i, j: [i + 1], [0, 1]),
        "The two structures don't have the same nested structure.",
        ValueError,
    ),
    BadInput(
        "while_loop of no turns at once",
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), parallel_iterations=0),
        "'parallel_iterations' must be a positive integer.",
        TypeError,
    ),
    BadInput(
        "while_loop with several limits",
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), maximum_iterations=[1]),
        "'maximum_iterations' must be a scalar. Received shape: (1,)",
        ValueError,
    ),
    BadInput(
        "map_fn of scalars",
        lambda tf: tf.map_fn(lambda x: x, [1, 2]),
        "1+ dimensional Tensors, not scalars",
        ValueError,
    ),
    BadInput("map_fn of an empty list", lambda tf: tf.map_fn(lambda x: x, []), "elems must be a Tensor or", ValueError),
    BadInput(
        "map_fn of another dtype",
        lambda tf: tf.map_fn(lambda x: tf.cast(x, tf.float32), tf.constant([1, 2])),
        "TensorArray dtype is int32 but Op is trying to write dtype float32",
    ),
    BadInput(
        "map_fn of another structure",
        lambda tf: tf.map_fn(lambda x: (x, x), tf.constant([1, 2])),
        "The two structures don't have the same nested structure.",
        ValueError,
    ),
    BadInput(
        "map_fn of another sequence",
        lambda tf: tf.map_fn(lambda x: (x, x), tf.constant([1]), fn_output_signature=[tf.int32, tf.int32]),
        "The two structures don't have the same nested structure.",
        TypeError,
    ),
    BadInput(
        "map_fn of rows of several lengths",
        lambda tf: tf.map_fn(tf.range, tf.constant([1, 2])),
        "Incompatible shape for value ((2,)), expected ((1,))",
        ValueError,
    ),
    BadInput(
        "map_fn over several lengths",
        lambda tf: tf.map_fn(lambda x: x[0], (tf.ones(2), tf.ones(3)), fn_output_signature=tf.float32),
        "Dimensions 2 and 3 are not compatible",
        ValueError,
    ),
    BadInput(
        "foldl of nothing",
        lambda tf: tf.foldl(lambda a, x: a, tf.zeros(0)),
        "Tried to read from index 0",
        "OutOfRangeError",
    ),
    BadInput(
        "foldr of nothing", lambda tf: tf.foldr(lambda a, x: a, tf.zeros(0)), "negative indices", "OutOfRangeError"
    ),
    BadInput(
        "scan of another structure",
        lambda tf: tf.scan(lambda a, x: (a, a), tf.ones(2), tf.constant(1.0)),
        "The two structures don't have the same nested structure.",
        ValueError,
    ),
    BadInput(
        "scan of another shape",
        lambda tf: tf.scan(lambda a, x: tf.ones(2), tf.ones(2), tf.ones(1)),
        "Incompatible shape for value ((2,)), expected ((1,))",
        ValueError,
    ),
    BadInput("TensorArray without size", lambda tf: tf.TensorArray(tf.float32), "Size must be declared", ValueError),
    BadInput(
        "TensorArray read past the end",
        lambda tf: _array(tf).read(3),
        "Tried to read from index 3 but array size is: 3",
        "OutOfRangeError",
    ),
    BadInput(
        "TensorArray read before the start",
        lambda tf: _array(tf).read(-1),
        "negative indices (index -1)",
        "OutOfRangeError",
    ),
    BadInput(
        "TensorArray read of unknown shape",
        lambda tf: _array(tf).read(0),
        "partially known TensorShape <unknown>",
        ValueError,
    ),
    BadInput(
        "TensorArray read twice",
        lambda tf: [array.read(0) for array in [_array(tf).unstack([1.0, 2.0, 3.0])] * 2],
        "Could not read index 0 twice because it was cleared",
    ),
    BadInput(
        "TensorArray written past the end",
        lambda tf: _array(tf).write(3, 1.0),
        "Tried to write to index 3 but array is not resizeable and size is: 3",
        "OutOfRangeError",
    ),
    BadInput(
        "TensorArray written before the start",
        lambda tf: _array(tf).write(-1, 1.0),
        "negative indices (index -1)",
        "OutOfRangeError",
    ),
    BadInput(
        "TensorArray of another dtype",
        lambda tf: _array(tf).write(0, tf.constant(1)),
        "TensorArray dtype is float32 but",
    ),
    BadInput(
        "TensorArray of another shape",
        lambda tf: _array(tf).write(0, [1.0]).write(1, 2.0),
        "Incompatible shape for value (()), expected ((1,))",
        ValueError,
    ),
    BadInput(
        "TensorArray of scalars end to end",
        lambda tf: _array(tf).unstack(tf.ones(3)).concat(),
        "Concat saw a scalar shape at index 0",
    ),
    BadInput(
        "TensorArray unstacked past the end",
        lambda tf: _array(tf).unstack(tf.ones(4)),
        "Cannot unstack 4 tensors into",
        ValueError,
    ),
    BadInput("TensorArray split unevenly", lambda tf: _array(tf).split(tf.ones(4), [1, 2, 2]), "sum of lengths is 5"),
    BadInput(
        "TensorArray split of a scalar",
        lambda tf: _array(tf).split(1.0, [1, 2, 2]),
        "Expected value to be at least a vector",
    ),
    BadInput(
        "TensorArray split by a matrix", lambda tf: _array(tf).split([1.0], [[1]]), "Expected lengths to be a vector"
    ),
    BadInput("TensorArray split into too few", lambda tf: _array(tf).split(tf.ones(3), [1, 2]), "(3 vs. 2)"),
    BadInput(
        "py_function of no function",
        lambda tf: tf.py_function(3, [1.0], tf.float32),
        "Expected func to be callable.",
        ValueError,
    ),
    BadInput(
        "py_function with too few results",
        lambda tf: tf.py_function(lambda: None, [], tf.float32),
        "returns 0 values, but expects to see 1",
    ),
    BadInput(
        "py_function of another dtype", lambda tf: tf.py_function(lambda x: x, [1.0], tf.int32), "requested dtype int32"
    ),
    BadInput(
        "py_function that divides by zero",
        lambda tf: tf.py_function(lambda: 1 / 0, [], tf.float32),
        "ZeroDivisionError: division by zero",
        "UnknownError",
    ),
    BadInput(
        "py_function that refuses a value",
        lambda tf: tf.py_function(lambda: int("a"), [], tf.int32),
        "ValueError: invalid literal",
    ),
    BadInput(
        "numpy_function that refuses a value",
        lambda tf: tf.numpy_function(lambda: int("a"), [], tf.int32),
        "invalid literal",
        ValueError,
    ),
]
