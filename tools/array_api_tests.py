"""Run the test suite of the array API standard, `array-api-tests`, on `whygrad.numpy`.

The suite is published only as a repository: clone https://github.com/data-apis/array-api-tests with its submodules, and install what its
requirements.txt names.

    python -m tools.array_api_tests ../array-api-tests                                       # all tests
    python -m tools.array_api_tests ../array-api-tests -k linalg --hypothesis-max-examples 20  # the rest is pytest's

Tests that are known not to pass are expected failures, with the reason; pytest's `-rx` prints them. The exit status is pytest's. This
module is also the plugin of pytest that the suite's process loads.
"""

from __future__ import annotations

import collections.abc
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

# What does not pass, as a pattern of the test's name, and why.
KNOWN = {
    r"test_array_object\.py::test_setitem": "tensors never change",
    r"test_asarray_arrays|test_astype": "with some examples it writes into an array, and tensors never change",
    r"test_unary\[tanh\(real\(x_i\) is \+infinity": "the sign of the zero is NumPy's",
    r"test_finfo\[(float32|complex64)": "the numbers are np.float32, as in NumPy",
    r"test_func_signature\[clip\]": "the second parameter is a_min, as in NumPy; min= and max= are accepted",
    r"(floor_divide|__i?floordiv__)\(x1_i is [-+]infinity and isfinite": "an infinity divided and rounded down is nan, as in NumPy",
    r"(floor_divide|__i?floordiv__)\(isfinite\(x1_i\) and x1_i (> 0 and x2_i is -|< 0 and x2_i is \+)infinity": (
        "a number divided by an infinity of the other sign and rounded down is -1, as in NumPy and Python"
    ),
}

# -- the plugin --


def pytest_configure(config: Any) -> None:
    import hypothesis.extra._array_helpers
    import hypothesis.extra.array_api

    import whygrad
    import whygrad.numpy

    whygrad.numpy.enable_dispatch()

    # A shape is a TensorShape. The standard allows other sequences than tuples; ndindex and Hypothesis, which the suite uses, do not.
    collections.abc.Sequence.register(whygrad.TensorShape)
    replaced = pytest.MonkeyPatch()
    for module in (hypothesis.extra._array_helpers, hypothesis.extra.array_api):
        replaced.setattr(module, "check_type", _taking_shapes(module.check_type))
    arrays = hypothesis.extra.array_api._arrays

    def _arrays(xp: Any, api_version: Any, dtype: Any, shape: Any, **options: Any) -> Any:
        sizes = tuple(shape) if isinstance(shape, whygrad.TensorShape) else shape
        return arrays(xp, api_version, dtype, sizes, **options)

    replaced.setattr(hypothesis.extra.array_api, "_arrays", _arrays)


def _taking_shapes(check: Any) -> Any:
    from whygrad import TensorShape

    def checked(wanted: type, value: Any, name: str) -> None:
        if not (wanted is tuple and isinstance(value, TensorShape)):
            check(wanted, value, name)

    return checked


def pytest_collection_modifyitems(items: list[Any]) -> None:
    for item in items:
        reason = next((reason for pattern, reason in KNOWN.items() if re.search(pattern, item.nodeid)), None)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))


# -- the script --


def main(arguments: Sequence[str]) -> int:
    """Run pytest in the clone that the first argument names, with the other arguments."""
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    clone = pathlib.Path(arguments[0])
    if not (clone / "array_api_tests").is_dir():
        print(f"{clone} is no clone of array-api-tests: it has no folder array_api_tests")
        return 2
    here = str(pathlib.Path(__file__).resolve().parents[1])
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-p", "tools.array_api_tests", "array_api_tests", *arguments[1:]]
    environment = {**os.environ, "ARRAY_API_TESTS_MODULE": "whygrad.numpy", "PYTHONPATH": path}
    return subprocess.run(command, cwd=clone, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
