"""What functions say of themselves is what TensorFlow's say: signatures, types, errors of wrong arguments, traces by type."""

import re
from typing import NamedTuple

import numpy as np
import pytest

import whygrad
from whygrad.engines import loading

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


class Pair(NamedTuple):
    x: object
    y: object


def _error(call, *args, **kwargs):
    """The class and the sentence of an error, as far as the first full stop; None where nothing is raised."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        kind = next(
            each for each in type(error).__mro__ if each.__name__ in ("InvalidArgumentError", "TypeError", "ValueError")
        )
        text = re.sub(r"__inference_(\w+)_\d+", r"\1", str(error))
        found = re.search(r"(Binding inputs.*|cannot compute.*|tf\.function only supports[^.]*)", text)
        return kind.__name__, (found[1] if found else "").split("\n")[0].split(" See ")[0]
    return None


@program
def signatures(tf):
    @tf.function
    def f(x, y=2, *args, k=3, **others):
        return {"a": x * 1.0, "b": (x, [x])}

    f(tf.constant(1.0))
    concrete = f.get_concrete_function(tf.TensorSpec([None, 3]), 5)
    return (
        f.pretty_printed_concrete_signatures().split("\n\n")[0],
        str(concrete),
        repr(concrete).split(" at ")[0],
        concrete.pretty_printed_signature(),
        concrete.pretty_printed_signature(verbose=False),
        str(concrete.function_type),
        str(f.function_type),
        repr(concrete.structured_input_signature),
    )


@program
def signatures_of_strings(tf):
    @tf.function
    def double(text, count=2):
        return text + text

    concrete = double.get_concrete_function(tf.constant("a"))
    return (
        concrete(tf.constant("b")).numpy(),
        repr(concrete.structured_input_signature),
        concrete.output_dtypes.name,
        concrete.output_shapes,
    )


@program
def signatures_of_structures_and_values(tf):
    @tf.function
    def f(a):
        return a

    x = tf.constant(1)
    for each in (Pair(x, [tf.constant(2.0), "s"]), {"k": 1, "l": None}, None, "text", True, 1.5, (), [x, (x,)]):
        f(each)
    return f.pretty_printed_concrete_signatures(), f.experimental_get_tracing_count()


@program
def signatures_of_variables(tf):
    f = tf.function(lambda v: v * 2.0)
    return str(f.get_concrete_function(tf.Variable(1.0)))


@program
def signatures_of_methods(tf):
    class Net(tf.Module):
        @tf.function
        def __call__(self, x):
            return x

    net = Net()
    net(tf.zeros(2))
    concrete = net.__call__.get_concrete_function(tf.TensorSpec([2]))
    return net.__call__.pretty_printed_concrete_signatures(), str(concrete), repr(concrete.structured_input_signature)


@program
def captured_variables(tf):
    v = tf.Variable(2.0)
    concrete = tf.function(lambda x: x * v).get_concrete_function(tf.TensorSpec([]))
    return re.sub(r"\d{6,}", "N", concrete.pretty_printed_signature())


@program
def concrete_functions_with_wrong_arguments(tf):
    def g(a, b):
        return a + b

    concrete = tf.function(g).get_concrete_function(tf.TensorSpec([2]), tf.TensorSpec([2]))
    x = tf.zeros(2)
    with_number = tf.function(g).get_concrete_function(tf.TensorSpec([2]), 5.0)
    return (
        _error(concrete, x),
        _error(concrete, x, x, x),
        _error(concrete, x, tf.zeros(2, tf.int32)),
        _error(concrete, x, a=x),
        _error(with_number, x, 6.0),
        with_number(x),
        with_number(x, 5.0),
    )


@program
def concrete_functions_of_tensors_alone(tf):
    @tf.function
    def f(x, y=5, *others, **named):
        return x

    spec, one = tf.TensorSpec([], tf.int32, "q"), tf.constant(1)
    nested = f.get_concrete_function([spec, one], one, k=one)
    plain = f.get_concrete_function(1, 2)
    several = f.get_concrete_function(1, 2, one, c=one)
    open_size = f.get_concrete_function(tf.TensorSpec([None]))
    return (
        nested(one, one, one, one),
        nested(q=one, x=one, y=one, k=one),
        repr(nested.structured_input_signature),
        str(nested.function_type),
        open_size(tf.constant(1.0)),
        _error(nested, one, one, one),
        _error(nested, (one, one), one, k=one),
        _error(plain, 1, 2, 3),
        _error(plain, 1, 2, c=one),
        _error(plain, 1, 2, x=3),
        _error(several, 1, 2),
        _error(several, 1, 2, one),
        _error(open_size, tf.constant([1])),
        f.get_concrete_function(one) is f.get_concrete_function(x=tf.TensorSpec([], tf.int32)),
    )


@program
def functions_with_wrong_arguments(tf):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def h(x):
        return x

    @tf.function
    def g(a, b):
        return a + b

    x = tf.zeros(1)
    return (
        _error(h, x, x),
        _error(h),
        _error(h, tf.constant([1])),
        _error(h, tf.constant([[1.0]])),
        _error(h, "a"),
        _error(g, x),
        _error(g, x, x, x),
        _error(g, x, x, c=x),
        str(h.function_type),
    )


@program
def variables_made_at_each_call(tf):
    @tf.function
    def f(x):
        return tf.Variable(1.0) + x

    return _error(f, tf.constant(1.0))[0]


@program
def types_of_tracing(tf):
    class FruitType(tf.types.experimental.TraceType):
        def __init__(self, fruit):
            self.kind, self.fruit = type(fruit), fruit

        def is_subtype_of(self, other):
            return type(other) is FruitType and self.kind is other.kind

        def most_specific_common_supertype(self, others):
            return self if all(self == other for other in others) else None

        def placeholder_value(self, placeholder_context=None):
            return self.fruit

        def __eq__(self, other):
            return type(other) is FruitType and self.kind == other.kind

        def __hash__(self):
            return hash(self.kind)

    class Fruit:
        def __tf_tracing_type__(self, context):
            return FruitType(self)

    class Apple(Fruit):
        flavor = 1

    class Mango(Fruit):
        flavor = 2

    traces = []

    @tf.function
    def mixed(a, b):
        traces.append(type(a).__name__ + type(b).__name__)
        return tf.constant(a.flavor) + b.flavor

    found = [mixed(a, b) for a, b in ((Apple(), Mango()), (Apple(), Mango()), (Mango(), Apple()), (Apple(), Apple()))]
    return found, traces, mixed.experimental_get_tracing_count()


@program
def classes_of_functions(tf):
    f = tf.function(lambda x: x)
    types = tf.types.experimental
    concrete = f.get_concrete_function(tf.TensorSpec([]))
    return (
        isinstance(f, types.PolymorphicFunction),
        isinstance(concrete, types.ConcreteFunction),
        isinstance(concrete, types.PolymorphicFunction),
        isinstance(concrete.function_type, types.FunctionType),
        list(concrete.function_type.parameters),
        len(tf.function(lambda x: tf.sin(x) * 2.0).get_concrete_function(tf.TensorSpec([])).graph.as_graph_def().node)
        > 1,
    )


def _plain(value):
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return np.asarray(value.numpy()).tolist() if hasattr(value, "numpy") else value


@pytest.mark.parametrize("way", ["compiled", "op by op"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_say_what_tensorflows_do(real_tf, name, way, monkeypatch):
    if way == "op by op":
        monkeypatch.setattr(loading, "is_installed", lambda: False)
    assert _plain(PROGRAMS[name](whygrad)) == _plain(PROGRAMS[name](real_tf))
