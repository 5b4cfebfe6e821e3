"""A stand-in for the `tensorflow` module: whygrad's namespaces under TensorFlow's names.

While it is active, `import tensorflow` in any form gives whygrad. Real TensorFlow, installed or not, is not imported. A name that
whygrad lacks raises an AttributeError that names the alternative.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from whygrad._public import OF_KERAS, version_1
from whygrad.keras_backend import first_import
from whygrad.run.missing_names import NAMESPACES, REASONS, in_keras, is_public, reason
from whygrad.values.tensorflow_version import VERSION

_INTERNALS = frozenset({"python", "core", "_api", "compiler", "tools"})
_ABSENT = object()
_NO_KERAS = "tf.keras is Keras 3, which is not installed: pip install 'whygrad[keras]'"


class StandIn(ModuleType):
    """A TensorFlow namespace, holding the public names of the whygrad namespace in its place."""

    def __init__(self, name: str, namespace: ModuleType, root: StandIn | None = None) -> None:
        super().__init__(name, namespace.__doc__)
        self.__path__: list[str] = []  # marks a package, so that `import tensorflow.math` calls the finder
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        self.__package__ = name
        self._namespace = namespace
        self._root = root or self
        # Copied at once: looking up whygrad first would take time at every use of a name.
        for each in dir(namespace):  # including names that whygrad loads lazily
            value = getattr(namespace, each)
            if self._offers(each, value):
                self._take(each, value)

    def _offers(self, name: str, value: object) -> bool:
        if name.startswith("_") or name == "annotations":
            return False
        if not isinstance(value, ModuleType):
            return True
        return name in NAMESPACES and not (name == "numpy" and self is self._root)

    def _take(self, name: str, value: Any) -> Any:
        if value is self._root._namespace:  # tf.compat.v2
            value = self._root
        elif isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "whygrad":
            value = StandIn(f"{self.__name__}.{name}", value, self._root)
        setattr(self, name, value)
        return value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = _ABSENT if name.startswith("_") else getattr(self._namespace, name, _ABSENT)
        if value is not _ABSENT and self._offers(name, value):  # loaded after this stand-in was created
            return self._take(name, value)
        # Without an `obj`, Python adds no suggestion of its own to ours.
        raise AttributeError(_missing(self, name), name=name, obj=None)

    def __dir__(self) -> list[str]:
        return sorted(name for name in vars(self) if name not in ("_namespace", "_root"))

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} (whygrad's stand-in)>"


@functools.cache
def _tree_of_whygrad() -> StandIn:
    return _make()


# Packages of whygrad that TensorFlow has not: programs that ask whether `tf` has the name must not find them.
_OF_ITS_OWN = ("numpy", "scipy", "autograd", "on_tensorflow")


def missing(namespace: str, name: str) -> str:
    """The message for a name that a namespace of whygrad lacks.

    >>> missing("whygrad", "log")
    'tf.log does not exist in whygrad; tf.math.log does'
    """
    if namespace == "whygrad" and name in _OF_ITS_OWN:
        return f"whygrad.{name} is loaded by `import whygrad.{name}`, not by `import whygrad`"
    root = _tree_of_whygrad()
    where: Any = next((each for each in _tree(root) if each._namespace.__name__ == namespace), root)
    if where is root:  # a namespace that was made later
        for part in namespace.split(".")[1:]:
            where = getattr(where, part, None)
            if not isinstance(where, StandIn):
                return f"module {namespace!r} has no attribute {name!r}"
    return _missing(where, name)


def _missing(where: StandIn, name: str) -> str:
    """The message for a name that does not exist."""
    wanted = _short(f"{where.__name__}.{name}")
    sentence = f"{wanted} does not exist in whygrad"
    if where is where._root and name in OF_KERAS:
        return _NO_KERAS if name == "keras" else f"{wanted} is tf.keras.{name}, and {_NO_KERAS}"
    if wanted.startswith("tf.compat.v1."):
        return f"{sentence}; {_of_version_1(where._root, wanted.removeprefix('tf.compat.v1.'))}"
    if where.__name__ == "tensorflow.raw_ops" and (same := _of_raw_op(where._root, name)):
        return f"{sentence}; {same} does"
    if is_public(wanted) or wanted in REASONS:  # what has the same name elsewhere is mostly something else
        why = reason(wanted)
        return sentence if why is None else f"{sentence}; {why}"
    elsewhere = _elsewhere(where._root, name) or in_keras(name)
    if elsewhere:
        return f"{sentence}; {elsewhere} does"
    old = wanted.removeprefix("tf.")
    if f"tf.compat.v1.{old}" in REASONS or version_1.place(old):
        return f"{sentence}; {_of_version_1(where._root, old)}"
    why = reason(wanted) if where is not where._root else None
    if name in NAMESPACES:  # a whole namespace is missing: a similar name would not help
        return sentence
    # Typing errors are rarely in the first letter.
    offered = [each for each in dir(where) if each[0].lower() == name[0].lower()]
    near = difflib.get_close_matches(name, [each for each in offered if each[0] != "_"], n=3, cutoff=0.7)
    if near:
        return f"{sentence}; it has {', '.join(_short(f'{where.__name__}.{each}') for each in near)}"
    return sentence if why is None else f"{sentence}; {why}"


def _of_version_1(root: StandIn, name: str) -> str:
    """What to do without a name of `tf.compat.v1`: what is said about it, or the name of TensorFlow 2, or about all of them."""
    if (own := reason(f"tf.compat.v1.{name}")) != REASONS["tf.compat.v1"]:
        return str(own)
    version_2 = f"tf.{version_1.place(name) or name}"
    try:
        functools.reduce(getattr, version_2.split(".")[1:], root)
    except AttributeError:
        known = is_public(version_2) or version_2 in REASONS
        return str(reason(version_2) if known else own)
    return f"use {version_2}, as TensorFlow 2 has it"


def _of_raw_op(root: StandIn, op: str) -> str | None:
    """The public function that has the name of an op of TensorFlow's, but for its case and underscores: `tf.stop_gradient` of `StopGradient`."""
    squeezed = re.sub(r"V\d+$", "", op).lower()
    functions = (name for each in _tree(root) for name in vars(each) if name.replace("_", "") == squeezed)
    name = next(functions, None)
    return None if name is None else _elsewhere(root, name)


def _short(name: str) -> str:
    return "tf" + name.removeprefix("tensorflow")


def _elsewhere(root: StandIn, name: str) -> str | None:
    """The shortest public path of a name anywhere in the tree, if any."""
    places = [f"{_short(each.__name__)}.{name}" for each in _tree(root) if name in vars(each)]
    return min(places, key=lambda place: (place.count("."), len(place)), default=None)


def _tree(root: StandIn) -> Iterator[StandIn]:
    yield root
    for name, child in list(vars(root).items()):
        below = isinstance(child, StandIn) and child.__name__ == f"{root.__name__}.{name}"
        if below and name != "numpy":  # NumPy's functions differ from TensorFlow's of the same name
            yield from _tree(child)


def _make() -> StandIn:
    root = StandIn("tensorflow", importlib.import_module("whygrad"))
    vars(root)["__version__"] = VERSION
    return root


class _Finder(MetaPathFinder):
    """Finds `tensorflow` and everything below it."""

    def __init__(self, root: StandIn) -> None:
        self.root = root

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        first, *others = fullname.split(".")
        if first != "tensorflow":
            return None
        found: Any = self.root
        for name in others:
            found = self._below(found, name, fullname)
        return ModuleSpec(fullname, _Loader(found), is_package=True)

    def _below(self, module: ModuleType, name: str, fullname: str) -> ModuleType:
        # The exceptions carry no module name: with one, Python would replace the message in `from tensorflow import name`.
        if module is self.root and name in _INTERNALS:
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: tensorflow.{name} holds TensorFlow's internals, and whygrad "
                f"provides only its public names"
            )
        try:
            found = getattr(module, name)
        except AttributeError as error:
            raise ModuleNotFoundError(f"No module named {fullname!r}: {error}") from None
        if not isinstance(found, ModuleType):
            raise ModuleNotFoundError(f"No module named {fullname!r}: {_short(fullname)} is not a module")
        return found


class _Loader(Loader):
    """Loads a module that already exists."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let Python create a module: it would overwrite the spec of a module returned here."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the new module by the existing one."""
        sys.modules[module.__name__] = self.module


@contextlib.contextmanager
def standing_in() -> Iterator[ModuleType]:
    """Make `import tensorflow` give whygrad inside the block.

    >>> with standing_in():
    ...     import tensorflow as tf
    ...     float(tf.math.log(1.0))
    0.0
    """
    root = _make()
    finder = _Finder(root)
    replaced = _pop_tensorflow()
    sys.meta_path.insert(0, finder)
    first_import.await_keras()
    try:
        yield root
    finally:
        first_import.forget()
        sys.meta_path.remove(finder)
        _pop_tensorflow()
        sys.modules.update(replaced)


def _pop_tensorflow() -> dict[str, ModuleType]:
    """Remove `tensorflow` and everything below it from the imported modules."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "tensorflow"}
