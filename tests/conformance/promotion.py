"""A program that prints, as JSON, what promotion does in one mode: to pairs of operands, to functions of one tensor, and in whole snippets.

    python -m tests.conformance.promotion tensorflow safe
    python -m tests.conformance.promotion whygrad safe NAME ...    with the functions that TensorFlow's side named

The switch is global and one-way in TensorFlow: each mode needs a process of its own.
"""

import functools
import importlib
import json
import operator
import sys
import types

import numpy as np

DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "==": operator.eq,
}  # fmt: skip
FUNCTIONS = (
    "add", "subtract", "multiply", "divide", "truediv", "pow", "maximum", "minimum", "equal", "math.floordiv", "math.floormod",
    "math.divide_no_nan", "math.multiply_no_nan", "truncatediv", "less", "math.squared_difference",
)  # fmt: skip
KINDS = (
    "int8", "int64", "float16", "float32", "weak int32", "weak float32", "Python int", "Python float", "NumPy float64",
    "variable float16",
)  # fmt: skip
SNIPPETS = (
    "tf.constant(2**40)", "tf.constant('a')", "tf.constant([])", "tf.constant(True)", "tf.constant(1.5, tf.int32)", "tf.constant(i, tf.float32)",
    "tf.constant(tf.cast(1, tf.int32), tf.float16)", "tf.constant(w)", "tf.constant(np.float32(1))", "tf.constant(1, shape=[2])",
    "tf.Variable(1.0)", "tf.Variable(w) * i", "tf.cast(w, tf.float16)", "tf.convert_to_tensor(w)", "tf.stack([w, w])", "tf.where(w > 2, w, 0.0)",
    "tf.matmul(w, tf.ones((2, 2), tf.float16))", "w @ w", "w[0]", "[x for x in w][0]", "w.T", "w.reshape(4)", "w.mean()", "w.astype(tf.float16)",
    "-w", "abs(w)", "~i", "+w", "round(i)", "str(i)", "repr(w)", "f'{i}'", "len(w)", "bool(i)", "int(i)", "float(i)", "range(i)[-1]",
    "isinstance(w, tf.Tensor)", "tf.is_tensor(w)", "tf.nest.flatten(w)[0]", "tf.nest.flatten(w, expand_composites=True)[0]", "{i: 1}[i]",
    "np.sin(w)", "np.ones(2) + w", "w + np.ones(2)", "np.int8(1) * i", "i < 4", "i < 4.5", "i != 3", "i == None", "2.5 - i", "7 % i",
    "tf.strings.as_string(i)", "tf.ragged.constant([[1.0]]) + 1.0", "tf.range(i)", "tf.one_hot(i - 1, 3)", "tf.gather([1, 2, 3], i - 1)",
    "tf.reduce_sum([1, 2])", "tf.reduce_max(w, axis=0)", "tnp.array(1.0)", "tnp.array([1, 2])", "tnp.ones(2)", "tnp.eye(2)", "tnp.arange(3)",
    "tnp.linspace(0, 1, 3)", "tnp.add(w, w)", "tnp.sum(w)",
    "v.assign(2)", "v.assign(2.5)", "v.assign_add(i)", "v.assign_sub(w[0, 0])", "v.assign(tf.cast(1, tf.int16))", "v + 1.5", "v * i",
    "tf.Variable(1.0).assign_add(1)", "tf.Variable(1.0).assign_add(tf.cast(1, tf.float64))",
    "gradient(lambda x: x * 2.0, w)", "gradient(lambda x: x * tf.cast(2, tf.float16), w)", "gradient(lambda x: x * i, tf.cast(1, tf.float16))",
    "tf.function(lambda x: x + 1)(i)", "tf.function(lambda x: x)(w)", "tf.function(lambda: tf.constant(1))()",
    "tf.function(lambda x: x + tf.constant(1.0))(tf.cast(1, tf.int8))", "tf.function(lambda x: x * i)(tf.cast(1, tf.float16))",
)  # fmt: skip


def operands(tf, number):
    """An operand of each kind, by its name."""
    found = {name: (lambda name=name: tf.cast(np.array([number, 1]), name)) for name in DTYPES}
    found |= {"weak " + name: (lambda kind=kind: tf.constant([kind(number), 1])) for name, kind in WEAK.items()}
    found["weak float64"] = lambda: tf.cast([number, 1], "int64") + 0.0
    found |= {"Python " + kind.__name__: (lambda kind=kind: kind(number)) for kind in (int, float, complex)}
    found |= {"list of " + kind.__name__: (lambda kind=kind: [kind(number), kind(1)]) for kind in (int, float)}
    found |= {"NumPy " + name: (lambda name=name: np.array([number, 1], name)) for name in ("int64", "float64", "int8")}
    return found | {
        "variable " + name: (lambda name=name: tf.Variable(tf.cast([number, 1], name)))
        for name in ("int32", "float16", "bool")
    }


WEAK = {"int32": int, "float32": float, "complex128": complex}


def shown(value):
    """A result: dtype, weakness and value, or the text of what is no tensor."""
    if not hasattr(value, "dtype") or isinstance(value, np.ndarray | np.generic):
        return repr(value)
    array = np.asarray(value.numpy() if not hasattr(value, "to_list") else value.to_list())
    if array.dtype.kind in "SO":
        return [value.dtype.name, repr(array.tolist())]
    array = np.round(np.asarray(array, complex), 2) + 0
    return [value.dtype.name, "weak=True" in repr(value), str(array.tolist()).replace("-0j", "+0j")]


def outcome(function, *args):
    """What a call gives, or the built-in class and the first line of the error that it raises."""
    try:
        return shown(function(*args))
    except Exception as error:
        names = [each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins"]
        own = [
            each.__name__ for each in type(error).__mro__ if each.__name__ in ("InvalidArgumentError", "NotFoundError")
        ]
        return {"raised": (own + names)[0], "text": str(error).split("\n")[0]}


def public_functions(tf):
    """The public names of the functions that give weak tensors for weak ones in TensorFlow."""
    from tensorflow.python.ops import weak_tensor_ops

    wanted = {id(each) for each in weak_tensor_ops._TF_UNARY_APIS}
    spaces = ("", "math", "math.special", "linalg", "nn", "debugging", "experimental.numpy")
    for space in spaces:
        module = functools.reduce(getattr, space.split("."), tf) if space else tf
        for name in dir(module):
            found = getattr(module, name)
            if not isinstance(found, types.ModuleType) and id(found) in wanted:
                yield f"{space}.{name}".lstrip(".")


def main(side, mode, *names):
    tf = importlib.import_module(side)
    tnp = importlib.import_module("whygrad.numpy") if side == "whygrad" else tf.experimental.numpy
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)

    def place(name):
        inner = name.removeprefix("experimental.numpy.")
        return getattr(tnp, inner) if inner != name else functools.reduce(getattr, name.split("."), tf)

    left, right = operands(tf, 3), operands(tf, 2)
    results = {}
    for symbol, function in OPERATORS.items():
        for a in left:
            for b in right:
                tensors = [each for each in (a, b) if each.split()[0] not in ("Python", "list", "NumPy")]
                if tensors:
                    try:
                        x, y = left[a](), right[b]()
                    except TypeError:  # the weak float64 is refused in mode "safe"
                        continue
                    results[f"{a} {symbol} {b}"] = outcome(function, x, y)
    for name in FUNCTIONS:
        for a in KINDS:
            for b in KINDS:
                results[f"{name}({a}, {b})"] = outcome(place(name), left[a](), right[b]())
    for name in names or public_functions(tf):
        try:
            function = place(name)
        except AttributeError:
            continue
        for a in KINDS:
            results[f"{name}({a})"] = outcome(function, left[a]())

    def gradient(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    for snippet in SNIPPETS:
        scope = {
            "tf": tf,
            "tnp": tnp,
            "np": np,
            "gradient": gradient,
            "i": tf.constant(3),
            "w": tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        }
        scope["v"] = tf.Variable(1, dtype=tf.int8)
        results[snippet] = outcome(eval, snippet, scope)
    print("results:", json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
