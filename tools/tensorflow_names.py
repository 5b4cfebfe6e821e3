"""Write the public names of TensorFlow, as installed, into `src/whygrad/run/tensorflow_names.py`.

    python -m tools.tensorflow_names

A missing name is then told apart from a misspelt one. Left out: `tf.compat.v1` and `tf.raw_ops`, which are long and are refused as a
whole, and `tf.keras`, which is Keras's own.
"""

from __future__ import annotations

import importlib
import pathlib
import textwrap
from types import ModuleType
from typing import Any

FILE = pathlib.Path(__file__).parents[1] / "src" / "whygrad" / "run" / "tensorflow_names.py"
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


def main() -> None:
    """Write the table."""
    tensorflow: Any = importlib.import_module("tensorflow")
    FILE.write_text(text_of(names_of(tensorflow), tensorflow.__version__), encoding="utf-8")


if __name__ == "__main__":
    main()
