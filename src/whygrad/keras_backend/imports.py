"""Give whygrad to Keras's modules, and only to them, where they import `tensorflow`.

A finder before all others finds `keras` and everything below it as Python would, and has each module executed with builtins of its own:
the same as everywhere, but for an `__import__` that answers `tensorflow` with whygrad's names (`tensorflow_names`). A function takes its
builtins from the module that defines it, so imports inside Keras's functions are answered in the same way. `sys.modules["tensorflow"]`
is neither read nor written: a real TensorFlow beside whygrad stays what it is for the rest of the program.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

from whygrad.keras_backend import exporting, patches, scopes, tensor_attributes, tensorflow_names
from whygrad.runtime.call_sites import makers_of_values, register_package
from whygrad.runtime.module_loading import executing, spec_of_others

_ALIAS = "whygrad.keras."
# Packages with which Keras calls its functions, and the user's, on each leaf of a structure.
_CALLED_BETWEEN = ("optree", "tree")
_NAMESPACE = "keras._tf_keras.keras."

# Keras modules that import scikit-learn or matplotlib, which most programs never use: executed when they are first used.
_LAZY = {
    *("keras.wrappers", "keras._tf_keras.keras.wrappers"),
    *("keras.visualization", "keras._tf_keras.keras.visualization", "keras.src.visualization"),
}
# A module that imports JAX only to mend old versions of it, and does without.
_WITHOUT_JAX = "keras.src.callbacks.orbax_checkpoint"
# A module that imports pandas, a quarter of the time of `import keras`, only to ask whether data is one of its frames.
_WITH_PANDAS = "keras.src.trainers.data_adapters.array_slicing"


class _OfPandas(type):
    """The class of `Series` and `DataFrame` in a module that imports pandas before the program does.

    A value can be of one of pandas's classes only once the program has imported pandas.
    """

    def __instancecheck__(cls, value: Any) -> bool:
        named = getattr(sys.modules.get("pandas"), cls.__name__, None)
        return named is not None and isinstance(value, named)


class _Pandas(ModuleType):
    """Stands for pandas: its two classes without loading it, and everything else from pandas itself."""

    Series = _OfPandas("Series", (), {})
    DataFrame = _OfPandas("DataFrame", (), {})

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module("pandas"), name)


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Sequence[str] | None = (), level: int = 0
) -> Any:
    """Keras's `__import__`: whygrad for `tensorflow` and what is below it, the usual one for everything else."""
    if level or name.partition(".")[0] != "tensorflow":
        if name == "jax" and globals["__name__"] == _WITHOUT_JAX:
            raise ImportError("JAX is not loaded for this module", name=name)
        if name == "pandas" and globals["__name__"] == _WITH_PANDAS and importlib.util.find_spec(name) is not None:
            return _Pandas(name)
        return builtins.__import__(name, globals, locals, fromlist or (), level)
    found = tensorflow_names.find(name)
    return found if fromlist else tensorflow_names.root()


_BUILTINS = {**vars(builtins), "__import__": _import}


class _Finder(MetaPathFinder):
    """Finds Keras's modules, and `whygrad.keras.layers` and the like, which are Keras's own."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.startswith(_ALIAS):
            return ModuleSpec(fullname, _Alias(_NAMESPACE + fullname.removeprefix(_ALIAS)), is_package=True)
        if fullname.partition(".")[0] != "keras":
            return None
        spec = spec_of_others(self, fullname, path, target)
        if spec is None:
            return None
        if fullname == "keras":
            for directory in spec.submodule_search_locations or ():
                register_package(directory)  # explanations point to the user's lines, not into Keras
        if hasattr(spec.loader, "exec_module"):
            loader = executing(spec.loader, _with_our_builtins)
            spec.loader = LazyLoader(loader) if fullname in _LAZY else loader
        return spec


def _with_our_builtins(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    """Execute a module with `_BUILTINS`, and apply our patches to it."""
    vars(module)["__builtins__"] = _BUILTINS
    with patches.surroundings(module.__name__):
        execute(module)
    patches.apply(module)


class _Alias(Loader):
    """Loads a Keras module under a second name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let Python create a module: it would overwrite the spec of a module returned here."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the new module by Keras's."""
        sys.modules[module.__name__] = builtins.__import__(self.name, fromlist=("",))


finder = _Finder()


def is_active() -> bool:
    """Whether Keras runs on whygrad, or will when it is imported."""
    return finder in sys.meta_path


def activate() -> None:
    """Answer the imports of Keras's modules from now on."""
    tensor_attributes.allow()
    exporting.allow()
    for name in _CALLED_BETWEEN:
        spec = importlib.util.find_spec(name)
        for directory in () if spec is None else spec.submodule_search_locations or ():
            register_package(directory)
    makers_of_values.append(scopes.maker_of)
    sys.meta_path.insert(0, finder)
