"""Run autograd's own examples on autograd and on `whygrad.autograd`, and compare what they print and plot.

    python -m tools.autograd_examples FOLDER [NAME ...]     FOLDER: `examples` of autograd's source distribution

Only the imports are changed, in memory. Training is cut to a few steps, images that would be downloaded are made up, and figures are not
shown; the numbers of each curve are part of the output. Needs autograd and matplotlib.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import math
import pathlib
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from typing import Any

STEPS = 2  # of an optimizer
SECONDS = 240
RTOL = 1e-5
# In the texts of the examples: loops that `minimize` and the optimizers do not run. Rounding grows with each of their steps.
FEWER = {
    r"num_epochs = \d+": "num_epochs = 2",
    r"num_iters=20\b": "num_iters=8",  # points that a Bayesian optimization tries
    r"max_lines=60\b": "max_lines=4",  # of a text that a hidden Markov model is fitted to
    r"while different\(x0, x1\)": "for _ in range(3)",
}
LIBRARIES = {"data", "data_mnist", "__init__"}


def changed(text: str) -> str:
    """The text of a program that imports `whygrad.autograd`."""
    return re.sub(r"(?<![\w./])autograd(?=\.\w| import)", "whygrad.autograd", text)


class _Loader(SourceFileLoader):
    """Loads a module from its file, with the imports changed."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        text = pathlib.Path(path).read_text(encoding="utf-8")
        return compile(changed(text), path, "exec")


class _Finder:
    """Finds the examples that an example imports."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        file = self._folder / f"{name}.py"
        if not file.exists():
            return None
        return importlib.util.spec_from_file_location(name, file, loader=_Loader(name, str(file)))


def run_one(script: pathlib.Path, library: str) -> None:
    """Run an example in this process; what it plots is printed."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.axes
    import matplotlib.pyplot as plt
    import numpy as np
    import scipy.optimize

    for name in ("show", "pause", "draw", "savefig"):
        setattr(plt, name, lambda *args, **kwargs: None)
    plot = matplotlib.axes.Axes.plot

    def printed(self: Any, *args: Any, **kwargs: Any) -> Any:
        curves = [np.asarray(each, float) for each in args if not isinstance(each, str)]
        print("curve", *[f"{curve.sum():.12g} {np.abs(curve).sum():.12g}" for curve in curves])
        return plot(self, *args, **kwargs)

    setattr(matplotlib.axes.Axes, "plot", printed)  # noqa: B010  a type checker refuses the assignment
    np.random.seed(0)

    class Seeded(np.random.RandomState):
        def __init__(self, seed: Any = 0) -> None:
            super().__init__(seed)

        def multivariate_normal(self, mean: Any, cov: Any, size: int = 1, **_: Any) -> Any:  # type: ignore[override]
            """Samples by the symmetric root. NumPy's take singular vectors, of which rounding chooses those of tiny singular values."""
            values, vectors = np.linalg.eigh(cov)
            root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
            return mean + self.standard_normal((size, len(mean))) @ root

    np.random.RandomState = Seeded  # type: ignore[misc]
    draws = np.random.default_rng(0)
    images: Any = type(sys)("data_mnist")
    images.mnist = lambda: tuple(
        part
        for n in (64, 32)
        for part in (draws.integers(0, 256, (n, 28, 28)).astype(np.uint8), draws.integers(0, 10, n).astype(np.uint8))
    )
    sys.modules["data_mnist"] = images

    minimize = scipy.optimize.minimize

    def briefly(fun: Any, x0: Any, *args: Any, **kwargs: Any) -> Any:
        options = {**kwargs.pop("options", {}), "maxiter": STEPS, "disp": False}
        return minimize(fun, x0, *args, options=options, **kwargs)

    scipy.optimize.minimize = briefly
    optimizers = importlib.import_module(f"{'whygrad.' if library == 'whygrad' else ''}autograd.misc.optimizers")
    for name in ("adam", "sgd", "rmsprop"):
        method = getattr(optimizers, name)

        def few(
            grad: Any, x: Any, callback: Any = None, num_iters: int = 100, method: Any = method, **kwargs: Any
        ) -> Any:
            return method(grad, x, callback=callback, num_iters=min(num_iters, STEPS), **kwargs)

        setattr(optimizers, name, few)
    sys.path.insert(0, str(script.parent))
    if library == "whygrad":
        sys.meta_path.insert(0, _Finder(script.parent))
    text = script.read_text(encoding="utf-8")
    text = changed(text) if library == "whygrad" else text
    for pattern, few_of_them in FEWER.items():
        text = re.sub(pattern, few_of_them, text)
    exec(compile(text, str(script), "exec"), {"__name__": "__main__", "__file__": str(script)})


def output_of(script: pathlib.Path, library: str) -> tuple[int, str, str]:
    """The exit status, the output and the errors of an example."""
    command = [sys.executable, "-W", "ignore", "-m", "tools.autograd_examples", "--one", str(script), library]
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        return done.returncode, done.stdout, done.stderr
    return 124, "", f"longer than {SECONDS} s"


def difference(one: str, other: str) -> str:
    """The first place where two outputs differ by more than rounding; "" if they do not."""
    pattern = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)|[^\s\d]+"
    mine, theirs = (re.findall(pattern, _comparable(text)) for text in (one, other))
    for a, b in zip(mine, theirs):
        try:
            same = math.isclose(float(a), float(b), rel_tol=RTOL, abs_tol=1e-7) or a == b
        except ValueError:
            same = a == b
        if not same:
            return f"{b} became {a}"
    return "" if len(mine) == len(theirs) else f"{len(theirs)} words became {len(mine)}"


def _comparable(text: str) -> str:
    """An output without what may differ: how one number is printed, the order of two factors or terms, addresses in memory."""
    # autograd gives one number as a NumPy scalar or as an array without axes, whichever its last rule made.
    text = re.sub(r"\b(?:np\.float64|array)\(([^()\[\]]*)\)", r"\1", text)
    text = re.sub(
        r"\b(add|multiply)\(([^(),]*),([^(),]*)\)", lambda m: f"{m[1]}({','.join(sorted((m[2], m[3])))})", text
    )
    addresses = list(dict.fromkeys(re.findall(r"(?<=_)\d{12,}", text)))
    return re.sub(r"(?<=_)\d{12,}", lambda m: str(addresses.index(m[0])), text)


def main(arguments: list[str]) -> int:
    """Compare the examples, and print the rate."""
    if arguments[:1] == ["--one"]:
        run_one(pathlib.Path(arguments[1]).resolve(), arguments[2])
        return 0
    folder, names = pathlib.Path(arguments[0]), arguments[1:]
    scripts = [each for each in sorted(folder.rglob("*.py")) if each.stem not in LIBRARIES]
    scripts = [each for each in scripts if not names or each.stem in names]
    equal = compared = 0
    for script in scripts:
        expected, found = output_of(script, "autograd"), output_of(script, "whygrad")
        if expected[0]:
            print(f"{script.stem:40} fails on autograd itself: {_last_line(expected[2])}")
            continue
        compared += 1
        wrong = _last_line(found[2]) if found[0] else difference(found[1], expected[1])
        equal += not wrong
        print(f"{script.stem:40} {wrong or f'equal, {len(expected[1].split())} words'}", flush=True)
    print(f"{equal} of {compared} give autograd's results")
    return 0 if equal == compared else 1


def _last_line(text: str) -> str:
    return (io.StringIO(text).readlines() or ["no message"])[-1].strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
