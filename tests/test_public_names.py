"""Each public namespace says what it offers in `__all__`, so that type checkers and `import *` know."""

import importlib
import pathlib
import types

import pytest

import whygrad

PACKAGE = pathlib.Path(whygrad.__file__).parent
NAMESPACES = ["whygrad", *(f"whygrad.{p.stem}" for p in sorted(PACKAGE.glob("*.py")) if not p.stem.startswith("_"))]

# Where things are kept, not what is offered; and whygrad.numpy, which is there once somebody imported it.
INSIDE = {p.name for p in PACKAGE.iterdir() if p.is_dir()} - {"experimental", "why"}
INSIDE |= {"autograph_experimental", "config_experimental", "config_optimizer", "config_threading"}
INSIDE |= {"math_special", "nn_experimental", "random_experimental"}


def _offered(module):
    for name, value in vars(module).items():
        from_elsewhere = isinstance(value, types.ModuleType) and not value.__name__.startswith("whygrad")
        of_typing = getattr(value, "__module__", "") == "typing" or name in ("TYPE_CHECKING", "annotations", "Callable")
        inside = module is whygrad and name in INSIDE
        if not (name.startswith("_") or from_elsewhere or of_typing or inside):
            yield name


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_all_is_what_there_is(namespace):
    module = importlib.import_module(namespace)
    missing = set(_offered(module)) - set(module.__all__)
    assert not missing, f"add to {namespace}.__all__: {sorted(missing)}"
    assert all(hasattr(module, name) for name in module.__all__)
