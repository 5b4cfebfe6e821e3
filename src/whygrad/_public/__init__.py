"""The public names: where users find what the rooms declare.

A function, class or value says with `export` under which names it is public (`unary` and `binary` take them as `exports=`).
Nothing else lists it. `python -m tools.public_names` reads these declarations and writes two things: `table.py`, from which the
namespaces are filled when the program runs, and the stubs (`*.pyi`), which type checkers and editors read.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from whygrad._public.table import TABLE

_T = TypeVar("_T")
ABSENT = object()  # found where there is no such name


def export(*names: str) -> Callable[[_T], _T]:
    """Declare the public names of a function, class or value: "tanh" is `whygrad.tanh`, "math.tanh" is `whygrad.math.tanh`.

    It returns what it is given. The names are read from the source by `tools/public_names.py`, not when the program runs.
    """
    return _unchanged


def _unchanged(value: _T) -> _T:
    return value


def export_defined(namespace: str, but: tuple[str, ...] = ()) -> None:
    """Declare every public name that the calling module defines, `but` for these, as a name of one namespace."""


def place_of(name: str) -> tuple[str, str]:
    """The module that has a public name, and the name there: `math.special.dawsn` is `dawsn` of `whygrad.math_special`."""
    namespace, _, inner = name.rpartition(".")
    return (f"whygrad.{namespace.replace('.', '_')}" if namespace else "whygrad"), inner


def namespace(name: str) -> ModuleType:
    """A public namespace by its name, such as "scipy.special", loaded on first use."""
    return importlib.import_module(f"whygrad.{name}")


def is_public(name: str) -> bool:
    """Whether `whygrad` itself has a public name."""
    return any(name in [entry.rpartition(":")[2] for entry in entries.split()] for entries in TABLE["whygrad"].values())


def fill(namespace: str, others: Callable[[str], Any] | None = None) -> None:
    """Give the module of this name its public names, as `table.py` has them, and those that `others` finds (or `ABSENT`).

    Names whose home is loaded are set at once, the others when they are first used: `import whygrad` loads only what most
    programs need.
    """
    module = sys.modules[namespace]
    values = vars(module)
    for home, entries in TABLE[namespace].items():
        if home in sys.modules:
            loaded = vars(sys.modules[home])
            for name, public in _names_in(entries):
                if name in loaded:
                    values[public] = loaded[name]

    @functools.cache
    def places() -> dict[str, tuple[str, str]]:
        """Where each public name is found: its home, and the name there. Most programs ask for none that is not loaded."""
        return {
            public: (home, name) for home, entries in TABLE[namespace].items() for name, public in _names_in(entries)
        }

    def __getattr__(name: str) -> Any:
        """The value of a public name that is used for the first time."""
        if name == "__all__":
            return sorted(places())
        if name not in places():
            if namespace == "whygrad" and name in OF_KERAS:
                return _of_keras(module, name)
            if name.startswith("_"):
                raise AttributeError(f"module {namespace!r} has no attribute {name!r}")
            if others is not None and (value := others(name)) is not ABSENT:
                return value
            raise MissingName(name=name, obj=module)
        home, inner = places()[name]
        value = importlib.import_module(home)
        if inner:
            value = getattr(value, inner)
        values[name] = value
        return value

    def __dir__() -> list[str]:
        """All names, whether they are loaded or not."""
        return sorted({*values, *places()})

    values.update(__getattr__=__getattr__, __dir__=__dir__)


def _names_in(entries: str) -> list[tuple[str, str]]:
    """The names that an entry of the table lists, each as the module that declares it has it and as users see it."""
    pairs = [entry.partition(":") for entry in entries.split()]
    return [(name, public or name) for name, _, public in pairs]


# `tf.keras`, and the parts of it that TensorFlow has under these names too. They are not in the table, since Keras need not be installed.
OF_KERAS = frozenset({"initializers", "keras", "losses", "metrics", "optimizers"})


def _of_keras(whygrad: ModuleType, name: str) -> Any:
    """`whygrad.keras`, which is Keras, or a part of it."""
    try:
        keras = importlib.import_module("whygrad.keras")
    except ModuleNotFoundError as error:
        if error.name != "keras":
            raise
        raise MissingName(name=name, obj=whygrad) from None
    return keras if name == "keras" else getattr(keras, name)


class MissingName(AttributeError):
    """An AttributeError that says what there is instead, worked out only when it is shown: `hasattr` stays cheap."""

    def __str__(self) -> str:
        from whygrad.run.standin import missing

        return missing(self.obj.__name__, str(self.name))  # type: ignore[attr-defined]  # a module


MissingName.__name__ = MissingName.__qualname__ = "AttributeError"
MissingName.__module__ = "builtins"
