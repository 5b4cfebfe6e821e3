"""Public names are declared once, beside what they name; what is generated from the declarations is up to date."""

import importlib
import pathlib
import types

import pytest

import whygrad
from tools import public_names
from whygrad._public.table import TABLE

PACKAGE = pathlib.Path(whygrad.__file__).parent
NAMESPACES = ["whygrad", *(f"whygrad.{p.stem}" for p in sorted(PACKAGE.glob("*.py")) if not p.stem.startswith("_"))]
NAMESPACES.remove("whygrad.keras")  # Keras's own namespace

# Where things are kept, not what is offered; and whygrad.numpy, which is there once somebody imported it.
INSIDE = {p.name for p in PACKAGE.iterdir() if p.is_dir()} - {"experimental", "why"}
INSIDE |= {p.stem for p in PACKAGE.glob("*_*.py")}  # such as math_special.py, which is whygrad.math.special


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
    assert not missing, f"not declared as a public name of {namespace}: {sorted(missing)}"
    assert all(hasattr(module, name) for name in module.__all__)


def test_every_namespace_with_a_name_has_a_module():
    assert set(NAMESPACES) <= set(TABLE)
    for namespace in TABLE:
        importlib.import_module(namespace)


def test_generated_files_are_up_to_date():
    stale = [path.relative_to(public_names.ROOT).as_posix() for path in public_names.stale()]
    assert not stale, f"run `{public_names.COMMAND}`"


def test_a_name_declared_in_two_places_is_refused():
    twice = [public_names.Declared("math", "f", home, "f", False) for home in ("whygrad.ops.a", "whygrad.ops.b")]
    with pytest.raises(
        SystemExit, match=r"whygrad\.math\.f is declared twice: in whygrad\.ops\.a and in whygrad\.ops\.b"
    ):
        public_names.refuse_doubles(twice)
