"""Doing something with modules of libraries when the program imports them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def spec_of_others(
    finder: Any, fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """What the finders other than this one find."""
    for other in sys.meta_path:
        find = None if other is finder else getattr(other, "find_spec", None)
        spec: ModuleSpec | None = None if find is None else find(fullname, path, target)
        if spec is not None:
            return spec
    return None


def executing(loader: Any, execute: Callable[[Callable[[ModuleType], None], ModuleType], None]) -> Any:
    """The same loader, but one that has a module executed by `execute`, which is given the loader's own function and the module."""
    made = copy.copy(loader)  # a loader may be shared
    own = made.exec_module
    made.exec_module = lambda module: execute(own, module)
    return made


class AfterImport(MetaPathFinder):
    """Calls a function for each of some modules right after it is executed; at once, if the program has imported it."""

    def __init__(self, functions: Mapping[str, Callable[[ModuleType], None]]) -> None:
        self._functions = functions

    def begin(self) -> None:
        """Start to do so."""
        for name, function in self._functions.items():
            if name in sys.modules:
                function(sys.modules[name])
        sys.meta_path.insert(0, self)

    def end(self) -> None:
        """Leave imports alone again."""
        sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find one of the modules as without us, but with a loader that calls its function afterwards."""
        function = self._functions.get(fullname)
        spec = None if function is None else spec_of_others(self, fullname, path, target)
        if function is None or spec is None or not hasattr(spec.loader, "exec_module"):
            return spec

        def execute(own: Callable[[ModuleType], None], module: ModuleType) -> None:
            own(module)
            function(module)

        spec.loader = executing(spec.loader, execute)
        return spec
