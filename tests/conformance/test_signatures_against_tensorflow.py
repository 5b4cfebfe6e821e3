"""Public functions take TensorFlow's arguments: the same names, in the same order, with the same defaults."""

import importlib
import inspect

import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

NAMESPACES = [
    "",
    "math",
    "math.special",
    "linalg",
    "nn",
    "image",
    "signal",
    "train",
    "random",
    "bitwise",
    "sparse",
    "debugging",
    "nest",
    "dtypes",
]


def _module(package, path):
    module = package
    for part in path.split(".") if path else []:
        module = getattr(module, part)
    return module


def _functions(path):
    module = _module(whygrad, path)
    for name in sorted(module.__all__):
        value = getattr(module, name)
        if not name.startswith("_") and (inspect.isfunction(value) or inspect.isclass(value)):
            yield name, value


CASES = [(path, name) for path in NAMESPACES for name, _ in _functions(path)]


def _parameters(function):
    """Names and defaults, in order; enums, dtypes and functions by their names, since each library has its own."""
    return [(p.name, _plain(p.default)) for p in inspect.signature(function).parameters.values() if p.name != "self"]


def _plain(default):
    if default is inspect.Parameter.empty:
        return "required"
    return getattr(default, "name", getattr(default, "__name__", default))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("path", "name"), CASES)
def test_same_parameters(real_tf, path, name):
    theirs = getattr(_module(real_tf, path), name, None)
    if theirs is None:
        assert (path, name) in OURS_ALONE, f"TensorFlow has no tf.{path}.{name}"
        return
    if issubclass(theirs, BaseException) if inspect.isclass(theirs) else False:
        return
    if (path, name) in DIFFERENT or hasattr(theirs, "DESCRIPTOR"):  # a message of protobuf's has no signature
        return
    assert _parameters(getattr(_module(whygrad, path), name)) == _parameters(theirs)


# Names that TensorFlow has not, with the reason for having them.
OURS_ALONE = {
    ("", "GradientWarning"): "warns of a gradient that is probably a mistake",
    ("", "NoGradientWarning"): "the same",
    ("", "EmptyGradientWarning"): "the same",
    ("", "BroadcastWarning"): "the same",
    ("", "FunctionWarning"): "the same, of compiled functions",
    ("", "RetracingWarning"): "the same, of compiled functions",
    ("", "SideEffectWarning"): "the same, of compiled functions",
    ("", "CheckpointWarning"): "a checkpoint that does not match is said",
    ("", "load_ipython_extension"): "`%load_ext whygrad` in a notebook",
    ("", "tracing"): "explanations that need more than a tape",
    **{
        ("", name): "gradients as functions, with JAX's names"
        for name in ("grad", "value_and_grad", "jacobian", "hessian", "vjp", "jvp", "hvp", "vmap", "ravel_nested")
    },
    ("nn", "dot_product_attention"): "JAX's, with its meaning",
    ("", "clip_by_average_norm"): "TensorFlow has it in compat.v1",
    ("math", "approximate_equal"): "TensorFlow has it in raw_ops",
}

# Where the signature differs on purpose, with the reason.
DIFFERENT = {
    ("", "DType"): "made by whygrad, not by users",
    ("dtypes", "DType"): "the same",
    ("", "Tensor"): "not made by its constructor",
    ("", "TensorShape"): "no argument stands for a scalar's shape",
    ("", "Variable"): "TensorFlow's metaclass hides the signature",
}


def test_the_namespaces_are_modules():
    for path in NAMESPACES:
        if path.count(".") == 0 and path:
            importlib.import_module(f"whygrad.{path}")
