"""What ops declare about themselves, and that explanations ask for that and for nothing else.

A new op without a domain fails here as soon as it makes inf or nan of finite numbers.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import itertools
import pathlib

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy
from whygrad._public.table import TABLE
from whygrad.ops import traits
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.recorded import every_primitive

PACKAGE = pathlib.Path(whygrad.__file__).parent
PRIMITIVES = every_primitive()
# What the forward functions of some primitives need beside their operands.
ATTRIBUTES = {
    "cast": {"dtype": np.dtype(np.float32)},
    "leaky_relu": {"alpha": 0.2},
    "leaky_relu_grad": {"alpha": 0.2},
    "reduce_euclidean_norm": {"axis": (0,), "keepdims": False},
    "triangular_solve": {"lower": True, "adjoint": False},
    "matrix_solve": {"adjoint": False},
    "matrix_inverse": {"adjoint": False},
}


def explained(primitive: Primitive, operands) -> tuple[bool, list[str]]:
    """Whether the value and the gradients at these operands are finite, and the kinds of cause that are given if not."""
    with tf.tracing() as trace:
        inputs = [tf.constant(each) for each in operands]
        rules = primitive.rules or (primitive.joint,) * len(inputs)
        sources = [x for x, rule in zip(inputs, rules) if rule is not None and x.dtype.is_differentiable]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            made = apply(primitive, *inputs, **ATTRIBUTES.get(primitive.name, {}))
        targets = [each for each in (made if isinstance(made, tuple) else (made,)) if each.dtype.is_differentiable]
        gradients = tape.gradient(targets, sources)
    values = [each.numpy() for each in (*targets, *gradients) if each is not None]
    found = [cause.kind for cause in trace.findings if cause.symptom in ("nonfinite", "zero")]
    return all(np.isfinite(each).all() for each in values), found


# -- the ends of declared domains --


def edges(primitive: Primitive):
    """Operands at the ends of a primitive's domain, each with the kind of cause that belongs there."""
    count = len(primitive.inputs)

    def at(position: int, value: float) -> list[float]:
        return [value if i == position else 0.5 for i in range(count)]

    for domain in primitive.traits.domain:
        match domain:
            case traits.Logarithm(of, zero):
                yield at(of, zero), "log-of-zero"
                yield at(of, zero - 1), "log-of-negative"
            case traits.Quotient(divisor, dividend):
                yield at(divisor, 0.0), "division-by-zero"
                if dividend is not None:
                    yield [0.0] * count, "zero-divided-by-zero"
            case traits.Root():
                yield [-1.0], "root-of-negative"
            case traits.Power():
                yield [0.0, -1.0], "division-by-zero"
                yield [-1.0, 0.5], "root-of-negative"
                yield [0.0, 0.5], "infinite-slope"
            case traits.InfiniteSlope() if count == 1:
                zero = 0j if primitive.name.startswith("complex") else 0.0
                yield [[zero, zero]], "infinite-slope"
            case traits.NoSlopeAtOrigin():
                yield [0j if count == 1 else 0.0] * count, "zero-divided-by-zero"
            case traits.Interval(low, high):
                for end, beyond in ((low, low - 1), (high, high + 1)):
                    if np.isfinite(end):
                        yield [end], "infinite-slope"  # or the value is not finite there
                        yield [beyond], "outside-domain"
            case traits.Exponential():
                yield [1e4], "exp-overflow"
            case traits.Overflows():
                yield [1e30] * count, "overflow"
            case traits.Invertible():
                yield [np.zeros((2, 2), np.float32)] * count, "singular-matrix"
            case traits.Defined():
                pass  # its condition is a sentence; the grid below looks at it
            case traits.InfiniteSlope():
                pass  # a power: see there


EDGES = [
    pytest.param(primitive, operands, kind, id=f"{primitive.name}-{kind}")
    for primitive in PRIMITIVES.values()
    for operands, kind in edges(primitive)
]


@pytest.mark.parametrize(("primitive", "operands", "kind"), EDGES)
def test_the_end_of_a_domain_is_explained_as_such(primitive, operands, kind):
    if primitive.no_gradient is not None:
        assert primitive.traits.domain  # no gradient could be inf or nan
        return
    if kind == "singular-matrix":
        with contextlib.suppress(tf.errors.InvalidArgumentError):  # refused, and explained as an exception
            is_finite, found = explained(primitive, operands)
            assert is_finite or found == [kind]
        return
    is_finite, found = explained(primitive, operands)
    if is_finite:  # the rule is finite there, as TensorFlow's: xdivy(0, 0) is 0
        assert found == []
        return
    also = {"infinite-slope": {"outside-domain", "division-by-zero"}}
    assert set(found) <= {kind} | also.get(kind, set())
    assert found


def test_the_edges_are_those_of_many_ops():
    seen = {kind for *_, kind in (each.values for each in EDGES)}
    assert len(EDGES) > 60
    assert {"log-of-zero", "division-by-zero", "infinite-slope", "outside-domain", "singular-matrix"} <= seen


@pytest.mark.parametrize(
    ("function", "value", "kind"),
    [
        (whygrad.numpy.log2, 0.0, "log-of-zero"),
        (whygrad.numpy.log10, 0.0, "log-of-zero"),
        (functools.partial(tf.math.xlogy, 2.0), 0.0, "log-of-zero"),
        (functools.partial(tf.math.xlog1py, 2.0), -1.0, "log-of-zero"),
        (whygrad.numpy.cbrt, 0.0, "infinite-slope"),
        (functools.partial(whygrad.numpy.hypot, 0.0), 0.0, "zero-divided-by-zero"),
        (functools.partial(tf.math.igamma, -0.5), 1.0, "outside-domain"),
    ],
)
def test_ops_of_one_kind_are_explained_alike(function, value, kind):
    with tf.tracing() as trace:
        x = tf.Variable(value)
        with tf.GradientTape() as tape:
            y = function(x)
        tape.gradient(y, x)
    assert [cause.kind for cause in trace.findings] == [kind]


# -- every op on a grid of special points --

POINTS = {
    1: (0.0, -1.0, 1.0, -0.5, 0.5, 2.0, -3.0, 1e30, -1e30, 1e-30),
    2: (0.0, -1.0, 1.0, 0.5, 1e30, -1e30, 1e-30),
    3: (0.0, -1.0, 0.5, 1e30),
}
OTHER_OPERANDS = {"imag": "complex numbers", "angle": "complex numbers", "ldexp": "an integer exponent"}
NO_GRADIENT_IN_TENSORFLOW = {"igamma_grad_a", "random_gamma_grad"}
ELEMENTWISE = [
    primitive
    for name, primitive in PRIMITIVES.items()
    if primitive.traits.elementwise
    and primitive.no_gradient is None
    and name not in {*OTHER_OPERANDS, *NO_GRADIENT_IN_TENSORFLOW}
]


def operands_of(primitive: Primitive) -> list[np.ndarray]:
    """All combinations of the special points, an array for each operand, of the dtypes that the op takes."""
    points = POINTS[len(primitive.inputs)]
    grid = np.array(list(itertools.product(points, repeat=len(primitive.inputs))), np.float32).T
    chosen_by_a_condition = primitive.traits.selects is not None
    return [x > 0 if chosen_by_a_condition and i == 0 else x for i, x in enumerate(grid)]


def not_finite(primitive: Primitive) -> list[tuple[float, ...]]:
    """The points at which a value or a gradient is inf or nan."""
    inputs = [tf.constant(x) for x in operands_of(primitive)]
    with tf.GradientTape() as tape:
        tape.watch([x for x in inputs if x.dtype.is_differentiable])
        made = apply(primitive, *inputs, **ATTRIBUTES.get(primitive.name, {}))
    gradients = tape.gradient(made, inputs, unconnected_gradients="zero")
    finite = np.logical_and.reduce([np.isfinite(each.numpy()) for each in (made, *gradients)])
    return [tuple(x.numpy()[place] for x in inputs) for place in np.flatnonzero(~finite)]


@pytest.mark.filterwarnings("ignore::whygrad.NoGradientWarning")
@pytest.mark.parametrize("primitive", ELEMENTWISE, ids=lambda each: each.name)
def test_inf_and_nan_of_finite_numbers_are_declared(primitive):
    for point in not_finite(primitive):
        is_finite, found = explained(primitive, point)
        assert not is_finite
        assert found, point
        assert "not-finite-here" not in found, f"{primitive.name}{point}: declare the domain in its traits"
        if "overflow" in found:
            assert any(not 1e-20 < abs(x) < 1e20 for x in point if x != 0), f"{primitive.name}{point} is no overflow"


# -- no names in why/ and in the batched sweep --

FILES = [*sorted((PACKAGE / "why").rglob("*.py")), PACKAGE / "tape" / "batched.py"]


def decisions_by_name(text: str) -> list[str]:
    """The expressions of a module that tell ops apart by a primitive's name, or by the primitive itself.

    To show the name is no decision. A decision compares it with anything but the name of another primitive or of the
    function that the program calls, takes it apart, matches a pattern against it, or looks it up. So does one that
    compares the primitive with anything but that of another record.
    """
    found = []
    tree = ast.parse(text)
    for scope in [tree, *[each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]]:
        names = Names(scope)
        found += [ast.unparse(node) for node in ast.walk(scope) if is_decision(node, names)]
    return sorted(set(found))


class Names:
    """What the local variables of a scope hold: primitives, and names of primitives."""

    def __init__(self, scope: ast.AST) -> None:
        given = [pair for node in ast.walk(scope) for pair in assigned(node)]
        self.primitives = {"primitive", *[target.id for target, value in given if self.is_primitive(value)]}
        self.names: set[str] = set()
        self.names = {target.id for target, value in given if self.is_name(value)}

    @staticmethod
    def is_primitive(node: ast.AST) -> bool:
        """Whether an expression is a primitive of a record or a plan."""
        return isinstance(node, ast.Attribute) and node.attr == "primitive"

    def is_any_primitive(self, node: ast.AST) -> bool:
        """The same, or a variable that holds one."""
        return self.is_primitive(node) or (isinstance(node, ast.Name) and node.id in self.primitives)

    def is_name(self, node: ast.AST) -> bool:
        """Whether an expression is the name of a primitive."""
        if isinstance(node, ast.NamedExpr):
            return self.is_name(node.value)
        if isinstance(node, ast.Name):
            return node.id in self.names
        owner = node.value if isinstance(node, ast.Attribute) and node.attr == "name" else None
        return owner is not None and self.is_any_primitive(owner)


def assigned(node: ast.AST) -> list[tuple[ast.Name, ast.expr]]:
    """The local variables that a node assigns, each with its value."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            pairs = list(zip(targets, values))
        case ast.Assign([target], value) | ast.NamedExpr(target, value):
            pairs = [(target, value)]
        case _:
            pairs = []
    return [(target, value) for target, value in pairs if isinstance(target, ast.Name)]


def is_called_name(node: ast.AST) -> bool:
    """Whether an expression is the name of the function that the program calls."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "syntax.called_name"


def is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_decision(node: ast.AST, names: Names) -> bool:
    match node:
        case ast.Compare(left, _, others):
            sides = [left, *others]
            rest = [each for each in sides if not names.is_name(each)]
            by_name = len(rest) < len(sides) and not all(map(is_called_name, rest))
            rest = [each for each in sides if not names.is_any_primitive(each)]
            return by_name or (len(rest) < len(sides) and not all(map(is_none, rest)))
        case ast.Call(ast.Attribute(_, "search" | "match" | "fullmatch" | "get"), arguments) if arguments:
            return any(map(names.is_name, arguments))
        case ast.Attribute(owner):
            return names.is_name(owner)
        case ast.Subscript(taken_from, key):
            return names.is_name(taken_from) or names.is_name(key)
        case ast.Match(subject):
            return names.is_name(subject)
    return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_ops_are_not_told_apart_by_their_names(path):
    assert decisions_by_name(path.read_text(encoding="utf-8")) == []


def test_no_primitive_is_imported_to_be_recognized():
    """A comparison with the primitive itself is one with its name in other words."""
    modules = [importlib.import_module(f"whygrad.{name_of(path)}") for path in FILES]
    held = [(each.__name__, name) for each in modules for name, value in vars(each).items() if type(value) is Primitive]
    assert held == []


def name_of(path: pathlib.Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize(
    "decision",
    [
        'record.plan.primitive.name == "log"',
        'primitive.name in ("log", "exp")',
        "record.plan.primitive.name not in _MOVES",
        '"max" in maker.record.plan.primitive.name',
        "any_name == record.plan.primitive.name",
        "primitive.name.startswith",
        "primitive.name.split",
        "primitive.name[:4]",
        "_DRAWS.search(primitive.name)",
        "_FORWARD.get(record.plan.primitive.name)",
        "_FORWARD[primitive.name]",
        "record.plan.primitive is shaping.reshape",
        "primitive in _COPIES",
    ],
)
def test_the_guard_sees_decisions(decision):
    assert decisions_by_name(decision) == [decision.replace('"', "'")]


@pytest.mark.parametrize(
    ("program", "decision"),
    [
        ("name, x = record.plan.primitive.name, 1\n    return name in ('log', 'exp')", "name in ('log', 'exp')"),
        ("op = record.plan.primitive\n    return op.name == 'log'", "op.name == 'log'"),
        ("if (name := op.primitive.name) and name == 'log':\n        return 1", "name == 'log'"),
    ],
)
def test_the_guard_follows_a_name_that_is_given_another(program, decision):
    assert decisions_by_name(f"def f(record):\n    {program}") == [decision]


@pytest.mark.parametrize("other", ["b.plan.primitive.name", "syntax.called_name(node)"])
def test_the_guard_lets_two_names_be_compared(other):
    assert decisions_by_name(f"a.plan.primitive.name == {other}") == []


@pytest.mark.parametrize("other", ["b.plan.primitive", "None"])
def test_the_guard_lets_two_primitives_be_compared(other):
    assert decisions_by_name(f"a.plan.primitive is {other}") == []


def test_the_guard_lets_names_be_shown():
    shown = "def f(record):\n    name = record.plan.primitive.name\n    return f'{name} has no gradient', quoted(name)"
    assert decisions_by_name(shown) == []


# Names of ops that stand in these files as texts, and why they tell no op from another. `why/source` and some causes read the
# program, in which NumPy's functions and Python's leave no record, by the names that it writes.
TEXTS = {
    "tape/batched.py": ({"shape"}, "an attribute of kernels"),
    "why/causes/arguments_swapped.py": ({"log"}, "a logarithm in the text, where no loss is called"),
    "why/causes/branch_not_taken.py": (
        {"case", "cond", "print", "range", "switch_case", "while_loop"},
        "calls in the text",
    ),
    "why/causes/custom_gradient_ignores_upstream.py": ({"ones_like", "rank", "shape", "size", "zeros_like"}, "the text"),
    "why/causes/double_softmax.py": ({"sigmoid", "softmax"}, "words of the sentence"),
    "why/causes/dtype_mismatch.py": ({"shape"}, "a parameter"),
    "why/causes/exp_overflow.py": ({"exp"}, "a word of the sentence"),
    "why/causes/gradient_not_applied.py": ({"apply"}, "a method of optimizers"),
    "why/causes/integer_dtype.py": ({"constant", "fill", "ones", "range", "zeros"}, "calls in the text that make a tensor"),
    "why/causes/leaked_tensor.py": ({"add"}, "a method of Python's sets"),
    "why/causes/nonfinite_gradient.py": ({"is_finite", "is_inf", "is_nan"}, "calls in the text"),
    "why/causes/overflow.py": ({"reduce_mean", "reduce_sum"}, "the text of an edit"),
    "why/causes/python_branch_on_symbolic.py": (
        {"logical_and", "logical_or", "reduce_all", "reduce_any", "reduce_max", "reduce_min", "sort"},
        "words of the help",
    ),
    "why/causes/ran_once.py": ({"add"}, "methods of Python's sets"),
    "why/causes/shape_depends_on_values.py": ({"shape", "size"}, "parameters"),
    "why/causes/shape_mismatch.py": ({"shape", "transpose"}, "a parameter, and a call in the text"),
    "why/causes/source_inside_function.py": ({"constant", "identity"}, "calls in the text"),
    "why/causes/unknown_argument.py": ({"shape", "size"}, "parameters"),
    "why/causes/value_needed_while_compiling.py": ({"complex", "print", "range", "round"}, "Python's functions"),
    "why/causes/where_nan_branch.py": ({"where"}, "a call in the text, whoever's it is"),
    "why/evidence/failed_op.py": ({"shape"}, "an attribute of arrays"),
    "why/source/decisions.py": (
        {"abs", "cast", "logical_and", "logical_not", "logical_or", "norm", "round"},
        "calls in the text, NumPy's and Python's above all",
    ),
    "why/source/stable_forms.py": ({"cosh", "exp", "log", "log1p", "reduce_sum"}, "calls in the text, whoever's they are"),
    "why/source/tensor_functions.py": (
        {"eye", "linspace", "normal", "ones", "poisson", "zeros"},
        "NumPy's functions in the text",
    ),
    "why/source/origins.py": (
        {
            "add", "argmax", "argmin", "argsort", "bincount", "categorical", "ceil", "count_nonzero", "floor", "gamma", "normal", "ones_like",
            "poisson", "print", "range", "rint", "round", "searchsorted", "shape", "sign", "size", "stop_gradient", "uniform",
            "unique", "zeros_like",
        },
        "calls in the text, NumPy's above all",
    ),
    "why/source/syntax.py": ({"add", "log", "print"}, "methods of Python's sets and loggers"),
    "why/source/wording.py": ({"rank"}, "an attribute of shapes"),
}  # fmt: skip


@functools.cache
def names_of_ops() -> set[str]:
    """The names of all primitives and of all public functions of ops."""
    homes = [(home, entries) for names in TABLE.values() for home, entries in names.items()]
    public = {entry.rpartition(":")[2] for home, entries in homes if ".ops." in home for entry in entries.split()}
    return set(PRIMITIVES) | public


def texts_of(path: pathlib.Path) -> set[str]:
    """The texts in a module, its docstrings and the parts of formatted ones aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_names_of_ops_stand_in_explanations(path):
    allowed, _ = TEXTS.get(path.relative_to(PACKAGE).as_posix(), (set(), ""))
    assert texts_of(path) & names_of_ops() <= allowed, "ask for a trait; or add the name to TEXTS with the reason"


def test_every_text_is_needed():
    ops = names_of_ops()
    assert {file: names for file, (names, _) in TEXTS.items() if not names <= texts_of(PACKAGE / file) & ops} == {}


def test_functions_are_not_told_apart_by_the_name_in_a_frame():
    """A function that failed is known by what it declares (`ops/advice.py`) and by its fault; its name is only shown."""
    for path in (PACKAGE / "why").rglob("*.py"):
        compared = [
            ast.unparse(node)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Compare | ast.Call) and "op.name" in [ast.unparse(each) for each in sides_of(node)]
        ]
        assert compared == [], path.name


def sides_of(node: ast.Compare | ast.Call) -> list[ast.expr]:
    """What a comparison compares; what a method is called on and given."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
