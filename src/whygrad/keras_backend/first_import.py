"""Let `import keras` give Keras on whygrad, and load what that takes only when the program imports Keras."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class FirstImport(MetaPathFinder):
    """Waits for the first import of Keras, then prepares whygrad for it and finds it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "keras":
            return None
        from whygrad.keras_backend import imports, loading

        if imports.is_active() or not loading.is_installed():
            return None
        loading.prepare()
        return imports.finder.find_spec(fullname, path, target)


finder = FirstImport()


def await_keras() -> None:
    """Let the first `import keras` from now on give Keras on whygrad."""
    if finder not in sys.meta_path:
        sys.meta_path.insert(0, finder)


def forget() -> None:
    """Undo `await_keras`. A Keras that was imported meanwhile stays on whygrad."""
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)
