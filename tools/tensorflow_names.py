"""Write the public names of TensorFlow, as installed, into `src/whygrad/run/tensorflow_names.py`, and those that `tf.compat.v1` has
in common with TensorFlow 2 into `src/whygrad/_public/version_1_names.py`.

    python -m tools.tensorflow_names

A missing name is then told apart from a misspelt one. Left out: `tf.raw_ops`, which is long, and `tf.keras`, which is Keras's own.
"""

from __future__ import annotations

import importlib
import pathlib
import textwrap
from types import ModuleType
from typing import Any

_PACKAGE = pathlib.Path(__file__).parents[1] / "src" / "whygrad"
FILE = _PACKAGE / "run" / "tensorflow_names.py"
FILE_V1 = _PACKAGE / "_public" / "version_1_names.py"
_NOT_ENTERED = {"v1", "v2", "raw_ops", "keras", "losses", "metrics", "optimizers", "initializers", "proto"}
_NOT_PUBLIC = {"python", "core", "compiler", "tsl", "security", "tools", "dtensor"}


def names_of(tensorflow: Any) -> dict[str, list[str]]:
    """The public names in each namespace."""
    found: dict[str, list[str]] = {}
    _walk(tensorflow, "tf", found, set())
    found["tf.experimental"].append("dtensor")  # which is public only there
    return {namespace: sorted(set(names)) for namespace, names in sorted(found.items())}


def _walk(module: Any, path: str, found: dict[str, list[str]], seen: set[int]) -> None:
    names = found[path] = []
    for name in sorted({*dir(module), *(getattr(module, "__all__", None) or ())}):
        if name.startswith("_") or name in _NOT_PUBLIC:
            continue
        try:
            value = getattr(module, name)
        except AttributeError:
            continue
        names.append(name)
        is_namespace = isinstance(value, ModuleType) or "Lazy" in type(value).__name__
        if is_namespace and name not in _NOT_ENTERED and id(value) not in seen:
            seen.add(id(value))
            _walk(value, f"{path}.{name}", found, seen)


def text_of(names: dict[str, list[str]], version: str) -> str:
    """The source of the table."""
    lines = [
        f'"""The public names of TensorFlow {version}, by namespace. Written by `tools/tensorflow_names.py`."""',
        "",
    ]
    lines += ["NAMES = {"]
    for namespace, each in names.items():
        lines += [f'    "{namespace}": """', textwrap.indent(textwrap.fill(" ".join(each), 110), " " * 8), '    """,']
    return "\n".join([*lines, "}", ""])


def names_of_version_1(tensorflow: Any) -> dict[str, list[str]]:
    """The names in each namespace of `tf.compat.v1` that are the very functions and classes of TensorFlow 2.

    `log=math.log` has another name in TensorFlow 2, `abs` the same.
    """
    names = names_of(tensorflow)
    version_2: dict[int, str] = {}
    for namespace, each in names.items():
        for name in each:
            value = getattr(_at(tensorflow, namespace), name)
            full = f"{namespace}.{name}".removeprefix("tf.")
            if _is_shared(value):
                known = version_2.setdefault(_identity(value), full)
                version_2[_identity(value)] = min(known, full, key=lambda place: (place.count("."), len(place), place))
    found: dict[str, list[str]] = {}
    for namespace in names:
        version_1 = _at(tensorflow.compat.v1, namespace)
        for name in sorted(dir(version_1)) if version_1 is not None else []:
            value = None if name.startswith("_") or name in _NOT_PUBLIC else getattr(version_1, name, None)
            if _is_shared(value) and _identity(value) in version_2:
                place = namespace.removeprefix("tf").removeprefix(".")
                same = f"{place}.{name}".removeprefix(".")
                other = version_2[_identity(value)]
                exists = _identity(getattr(_at(tensorflow, namespace), name, None)) == _identity(value)
                found.setdefault(place, []).append(name if same == other or exists else f"{name}={other}")
    return dict(sorted(found.items()))


def _is_shared(value: Any) -> bool:
    """Whether one object under two names says that the names mean the same; of a number it would not."""
    return (callable(value) and not isinstance(value, ModuleType)) or type(value).__name__ == "DType"


def _identity(value: Any) -> int:
    """What identifies a function: TensorFlow decorates one function twice, for each of its versions."""
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return id(value)


def _at(root: Any, namespace: str) -> Any:
    """The namespace `tf.a.b` below a root; None if there is none."""
    for part in namespace.split(".")[1:]:
        root = getattr(root, part, None)
    return root


def text_of_version_1(names: dict[str, list[str]], version: str) -> str:
    """The source of the table of `tf.compat.v1`."""
    head = f"The names that `tf.compat.v1` of TensorFlow {version} has in common with TensorFlow 2, by namespace."
    lines = [
        f'"""{head}',
        "",
        "`log=math.log` is `tf.math.log` there. Written by `tools/tensorflow_names.py`.",
        '"""',
        "",
    ]
    lines += ["SAME = {"]
    for namespace, each in names.items():
        lines += [f'    "{namespace}": """', textwrap.indent(textwrap.fill(" ".join(each), 110), " " * 8), '    """,']
    return "\n".join([*lines, "}", ""])


def main() -> None:
    """Write the tables."""
    tensorflow: Any = importlib.import_module("tensorflow")
    FILE.write_text(text_of(names_of(tensorflow), tensorflow.__version__), encoding="utf-8")
    FILE_V1.write_text(text_of_version_1(names_of_version_1(tensorflow), tensorflow.__version__), encoding="utf-8")


if __name__ == "__main__":
    main()
