"""What to write with tensors in place of NumPy's functions and Python's, which take values off the tape."""

from __future__ import annotations

import ast
import contextlib
import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from whygrad._public import namespace
from whygrad.values.tensor import answers_numpy
from whygrad.why.source.sites import tree_of


class _Explaining(threading.local):
    of_numpys = False


_explaining = _Explaining()


def numpys_take_tensors() -> bool:
    """Whether NumPy's functions take tensors, or did where the error arose that is being explained."""
    return _explaining.of_numpys or answers_numpy()


@contextlib.contextmanager
def explaining(of_numpys: bool) -> Iterator[None]:
    """Explain an error in the block, which says whether NumPy's functions took tensors."""
    before, _explaining.of_numpys = _explaining.of_numpys, of_numpys
    try:
        yield
    finally:
        _explaining.of_numpys = before


_DRAWN = "mean + scale * tf.random.normal(shape)"
_TENSORS = {
    "np.sum": "tf.reduce_sum", "np.mean": "tf.reduce_mean", "np.linalg.norm": "tf.norm", "np.std": "tf.math.reduce_std",
    "np.var": "tf.math.reduce_variance", "np.max": "tf.reduce_max", "np.min": "tf.reduce_min", "np.prod": "tf.reduce_prod",
    "np.exp": "tf.exp", "np.log": "tf.math.log", "np.sqrt": "tf.sqrt", "np.abs": "tf.abs", "np.sin": "tf.sin", "np.cos": "tf.cos",
    "np.tanh": "tf.tanh", "np.dot": "tf.tensordot(a, b, 1)", "np.square": "tf.square", "np.maximum": "tf.maximum", "np.minimum":
    "tf.minimum", "np.where": "tf.where", "np.concatenate": "tf.concat", "np.stack": "tf.stack", "np.matmul": "tf.matmul",
    "np.clip": "tf.clip_by_value", "math.exp": "tf.exp", "math.log": "tf.math.log", "math.sqrt": "tf.sqrt", "math.sin": "tf.sin",
    "math.cos": "tf.cos", "math.tanh": "tf.tanh", "math.pow": "tf.pow", "np.power": "tf.pow", "np.trace": "tf.linalg.trace",
    "np.array": "tf.stack", "np.asarray": "tf.convert_to_tensor", "np.cumsum": "tf.cumsum", "np.log1p": "tf.math.log1p",
    "np.linalg.det": "tf.linalg.det", "np.linalg.inv": "tf.linalg.inv", "np.linalg.solve": "tf.linalg.solve", "np.outer":
    "tf.einsum('i,j->ij', a, b)", "np.einsum": "tf.einsum", "np.transpose": "tf.transpose", "np.reshape": "tf.reshape",
    "np.diff": "x[1:] - x[:-1]", "np.quantile": "tf.sort and an index", "np.percentile": "tf.sort and an index", "np.median":
    "tf.sort and an index", "np.sort": "tf.sort", "math.erf": "tf.math.erf", "math.erfc": "tf.math.erfc", "math.lgamma":
    "tf.math.lgamma", "math.tan": "tf.tan", "math.atan": "tf.atan", "math.atan2": "tf.atan2", "math.asin": "tf.asin", "math.acos":
    "tf.acos", "math.sinh": "tf.sinh", "math.cosh": "tf.cosh", "math.fabs": "tf.abs", "math.hypot": "tf.sqrt(a**2 + b**2)",
    "np.arctan2": "tf.atan2", "np.arctan": "tf.atan", "np.arcsin": "tf.asin", "np.arccos": "tf.acos", "np.sinh": "tf.sinh", "np.cosh":
    "tf.cosh", "np.tan": "tf.tan", "np.fft.fft": "tf.signal.fft", "np.fft.ifft": "tf.signal.ifft", "np.fft.rfft": "tf.signal.rfft",
    "np.fft.irfft": "tf.signal.irfft", "np.fft.fft2": "tf.signal.fft2d", "np.fft.ifft2": "tf.signal.ifft2d", "np.real": "tf.math.real",
    "np.random.normal": _DRAWN, ".normal": _DRAWN,
    "np.imag": "tf.math.imag", "np.conj": "tf.math.conj", "np.angle": "tf.math.angle",
}  # fmt: skip
_CREATES = {f"np.{name}" for name in ("arange", "linspace", "ones", "zeros", "eye", "full", "float32", "float64")}


_NUMPY = {tensors: name for name, tensors in _TENSORS.items() if name.startswith("np.") and tensors.startswith("tf.")}
_NUMPY |= {
    "tf.stack": "np.stack",
    "tf.newaxis": "np.newaxis",
    "tf.eye": "np.eye", "tf.ones_like": "np.ones_like", "tf.zeros_like": "np.zeros_like", "tf.float32": "np.float32", "tf.float64":
    "np.float64",
}  # fmt: skip


# NumPy has functions of these names with another meaning, or other arguments.
_OTHERWISE = {"tf.identity", "tf.pad", "tf.split", "tf.unique"}


def as_numpy(text: str, numpy: str) -> str:
    """A text with NumPy's functions, under the name that NumPy has, for the tensor functions in it that NumPy has too."""

    def renamed(found: re.Match[str]) -> str:
        name = _NUMPY.get(found[0]) or _of_the_same_name(found[0])
        return found[0] if name is None else numpy + name.removeprefix("np")

    return re.sub(r"(?<![\w.])tf\.[\w.]*\w", renamed, text)


def _of_the_same_name(name: str) -> str | None:
    path, _, last = name.rpartition(".")
    module: Any = {"tf": np, "tf.math": np, "tf.linalg": np.linalg}.get(path)
    if name in _OTHERWISE or not callable(getattr(module, last, None)):
        return None
    return f"np.linalg.{last}" if path == "tf.linalg" else f"np.{last}"


def called_in(nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    """The functions of NumPy and Python, and the methods of arrays, that are called in some expressions."""
    found: dict[str, None] = {}
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        name = ast.unparse(call.func)
        if name.startswith(("np.", "numpy.", "math.")):
            found.setdefault(name.replace("numpy.", "np."))
        elif isinstance(call.func, ast.Attribute) and not re.fullmatch(r"(tf|tensorflow|whygrad)[\w.]*", name):
            found.setdefault(f".{call.func.attr}")
    return tuple(found)


_JOINED = {"np.array": "np.stack", "np.r_": "np.concatenate", "np.c_": "np.column_stack"}


def _of_scipy(left: str, file: str) -> tuple[str, str] | None:
    """What a text calls of SciPy, and where whygrad has it: `norm.logpdf(x)` is of `scipy.stats.norm`."""
    name = _in_scipy(left, file)
    if not name:
        return None
    place: Any = namespace("scipy")
    parts = name.split(".")[1:]
    for i, part in enumerate(parts):
        if not hasattr(place, part):
            try:
                place = namespace(".".join(["scipy", *parts[: i + 1]]))
                continue
            except ImportError:
                return name, ""
        place = getattr(place, part)
    return name, f"whygrad.{name}"


def as_numpys(left: str, file: str, functions: Iterable[str] = ()) -> str:
    """What to write where NumPy's functions work on tensors, and the text `left` takes a value off the tape all the same.

    `functions` are called with the value afterwards.
    """
    scipys = _of_scipy(left, file)
    if scipys is not None:
        name, ours = scipys
        return (
            f"write {ours} for {name}"
            if ours
            else f"{name} cannot be differentiated: write it with NumPy's functions, or see whygrad.scipy"
        )
    called = re.match(r"(np|numpy|math)\.(\w+)", left)
    name = called[0].replace("numpy.", "np.") if called else ""
    if _maths(name):
        return _maths(name)
    if name in _JOINED:
        return f"write {_JOINED[name]} for {name}, which gives a plain array"
    if name in ("np.asarray", "np.asanyarray", "np.ascontiguousarray", "np.asfarray"):
        return f"leave out {name}: NumPy's functions take the value as it is"
    leaves_out = next((w for w in (".numpy()", ".tolist()", ".item()") if left.endswith(w)), None)
    leaves_out = leaves_out or next((f"{w}()" for w in ("float", "int") if left.startswith(f"{w}(")), None)
    if leaves_out == "int()":
        return "an integer has no slope: to choose from a table, interpolate with np.interp"
    if leaves_out:
        return " and ".join([*dict.fromkeys(filter(None, map(_maths, functions))), f"leave out {leaves_out}"])
    drawn = re.match(r"([\w.]+)\.(\w+)\((?!size)", left)
    if drawn is not None and drawn[2] == "normal":
        return f"draw standard numbers, and shift and scale them: mean + scale * {drawn[1]}.normal(size=...)"
    if drawn is not None and drawn[2] == "exponential":
        return f"draw standard numbers, and scale them: scale * {drawn[1]}.exponential(size=...)"
    if drawn is not None and chooses_among(left):
        return f"draw positions, and take the elements there: x[{drawn[1]}.{drawn[2]}(len(x), ...)]"
    if drawn is not None and drawn[2] in DISCRETE_DRAWS:
        return f"a drawn whole number has no slope: {SCORE_FUNCTION}"
    if _is_vectorized(left, file):
        return "np.vectorize calls the function with one number at a time: write it for whole arrays, with np.where for its branches"
    return "use NumPy's functions on the value itself; collect parts in a list, and join them with np.stack or np.concatenate"


# Functions of NumPy's generators and of `random` that draw whole numbers, or choose.
DISCRETE_DRAWS = {"choice", "choices", "binomial", "multinomial", "poisson", "geometric", "hypergeometric"}
SCORE_FUNCTION = "weight the log-probability of the sample with its reward (score function)"


def chooses_among(drawn: str) -> bool:
    """Whether a call draws from the elements of what it is given: `rng.choice(x)`, and not `rng.choice(5, p=x)`."""
    return bool(re.search(r"\.(choice|choices|permutation)\(", drawn)) and not re.search(r"\b(p|weights)\s*=", drawn)


def _maths(name: str) -> str:
    """What to write for a function of `math`, if NumPy has it too; "" of any other function."""
    numpys = _MATH.get(name, name.replace("math.", "np."))
    has_it = name.startswith("math.") and hasattr(np, numpys.removeprefix("np."))
    return f"write {numpys} for {name}" if has_it else ""


def _is_vectorized(left: str, file: str) -> bool:
    """Whether a text calls what `np.vectorize` made of a function, by a call or as a decorator."""
    tree, called = tree_of(file), re.match(r"[A-Za-z_]\w*(?=\()", left)
    if tree is None or called is None:
        return left.startswith(("np.vectorize(", "numpy.vectorize("))
    makers: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == called[0]:
            makers += node.decorator_list
        elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == called[0] for t in node.targets):
            makers.append(node.value)
    return any("vectorize" in ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in makers)


_MATH = {
    "math.pow": "np.power", "math.fabs": "np.abs", "math.fsum": "np.sum", "math.asin": "np.arcsin", "math.acos": "np.arccos", "math.atan":
    "np.arctan", "math.atan2": "np.arctan2",
}  # fmt: skip


_COPIES = re.compile(r"(np|numpy)\.(array|asarray|copy)(?=\((?![\[(]))")  # of one value, not of a list


def as_tensors(left: str, functions: Iterable[str]) -> str:
    """What to write so that a value stays a tensor, where the text `left` takes it off the tape, and functions are called with it."""
    copied = _COPIES.match(left)
    functions = [each for each in functions if copied is None or each != f"np.{copied[2]}"]
    names = [(each, _TENSORS.get(each) or _TENSORS.get(f"np{each}")) for each in functions]
    written = dict.fromkeys(
        f"{tensors} for {name}{'()' if name[0] == '.' else ''}" for name, tensors in names if tensors
    )
    leaves_out = next((w for w in (".numpy()", ".tolist()") if left.endswith(w)), None)
    leaves_out = leaves_out or next((f"{w}()" for w in ("float", "int") if left.startswith(f"{w}(")), None)
    if leaves_out == "int()":
        return "an integer has no slope: to choose from a table, weight the elements beside it by how near they are (interpolation)"
    leaves_out = leaves_out or (copied[0] if copied is not None else None)
    if leaves_out == ".numpy()":
        leaves_out += "".join(f"{name}()" for name, _ in names if name in (".item", ".tolist"))
    steps = [f"write {' and '.join(written)}"] if written else []
    steps += [f"leave out {leaves_out}"] if leaves_out else []
    others = any(name.startswith(("np.", "math.")) and not tensors and name not in _CREATES for name, tensors in names)
    if steps and not others:
        return " and ".join(steps)
    return ", ".join([*steps, "use tf.* in place of np.* and math.*"])


def scipys_name(call: ast.Call, file: str) -> str:
    """The name in SciPy of a function that the program calls; "" of any other."""
    return _in_scipy(ast.unparse(call.func), file)


def _in_scipy(text: str, file: str) -> str:
    """The name in SciPy that a text begins with, as the program's file imports it; "" if it begins with none."""
    tree = tree_of(file)
    known: dict[str, str] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            known |= {
                each.asname or "scipy": each.name if each.asname else "scipy"
                for each in node.names
                if each.name.startswith("scipy")
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scipy"):
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    written = re.match(r"[A-Za-z_][\w.]*", text)
    root, _, rest = (written[0] if written else "").partition(".")
    return ".".join(each for each in (known.get(root, ""), rest) if each) if root in known else ""
