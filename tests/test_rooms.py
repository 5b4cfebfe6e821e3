"""The rooms of the house import only rooms before them (docs/architecture.md), and no import is circular."""

import ast
import pathlib
import re
import textwrap

import whygrad
from tests.support.imports import Import, cycles, imports_of

ROOMS = [
    "_public", "runtime", "values", "engines", "ops", "numpy", "tape", "functional", "scipy", "autograd", "compile", "modules",
    "sparse", "ragged", "strings", "lookup", "io", "summary", "data", "testing", "why", "view", "keras_backend", "on_tensorflow", "run",
]  # fmt: skip
PACKAGE = pathlib.Path(whygrad.__file__).parent

# Imports inside functions that lead to a later room or to the top package, with the reason for each.
LATE = {
    ("whygrad.ops.recorded", "whygrad.numpy"): "the recorded namespace hands rules the functions of whygrad.numpy",
    ("whygrad.why", "whygrad.view.ask"): "`whygrad.why()` prints its answer",
    ("whygrad.why.evidence.trace", "whygrad.view.page.page"): "a trace gives the page of itself",
    ("whygrad.why.evidence.trace", "whygrad.view.report"): "a trace prints its report",
    ("whygrad.why.evidence.trace", "whygrad.view.notebook"): "a trace is shown in a notebook",
    ("whygrad.why.cause", "whygrad.view.terminal"): "a cause prints itself",
    ("whygrad.why.cause", "whygrad.view.notebook"): "a cause is shown in a notebook",
    ("whygrad._public", "whygrad.run.standin"): "a name that does not exist is explained when the error is shown",
    ("whygrad._public", "whygrad.keras"): "Keras is loaded when a program first uses `tf.keras`",
    ("whygrad.keras_backend.tensorflow_names", "whygrad"): "Keras gets the public names",
    ("whygrad.on_tensorflow.observer", "whygrad"): "TensorFlow's ops are repeated with the public functions",
    ("whygrad.run.standin", "whygrad"): "the stand-in for TensorFlow offers the public names",
}
LEAVES = {"whygrad._version"}  # modules outside of the rooms that import nothing


def _room(module: str) -> str | None:
    """The room that a module is in; None for the public namespaces."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else None


def _is_upward(each: Import) -> bool:
    """Whether a room imports a later room, a public namespace or the top package."""
    importer, imported = _room(each.importer), _room(each.imported)
    if importer is None or each.imported in LEAVES:
        return False
    return imported is None or ROOMS.index(imported) > ROOMS.index(importer)


def _wrong(package: pathlib.Path) -> list[str]:
    """The imports of a package that the rooms forbid, one line for each.

    Imports for type checkers keep the order of the rooms too: a room that knows the types of a later one knows that room.
    """
    found = imports_of(package)
    allowed = {(each.importer, each.line) for each in found if each.late and (each.importer, each.imported) in LATE}
    checked = [each for each in found if (each.importer, each.line) not in allowed]
    lines = [
        f"{each.importer}:{each.line} imports {each.imported}{' in a function' if each.late else ''}"
        for each in checked
        if not each.implied and _is_upward(each)
    ]
    executed = [each for each in checked if not each.typing]
    for group in cycles((each.importer, each.imported) for each in executed if not each.late):
        lines.append(f"circular import: {', '.join(group)}")
    # Imports in functions too. Not those of the top package, which re-exports the rooms.
    for group in cycles((each.importer, each.imported) for each in executed if _room(each.importer)):
        if len({_room(module) for module in group}) > 1:
            lines.append(f"circular import between rooms: {', '.join(group)}")
    return lines


def test_a_room_imports_only_rooms_before_it():
    assert _wrong(PACKAGE) == []


def test_the_guard_sees_the_imports():
    rooms = {(_room(each.importer), _room(each.imported)) for each in imports_of(PACKAGE)}
    assert {("tape", "ops"), ("numpy", "ops"), ("why", "tape"), (None, "ops")} <= rooms


def test_every_late_import_is_needed():
    late = {(each.importer, each.imported) for each in imports_of(PACKAGE) if each.late}
    assert set(LATE) <= late


def test_every_folder_is_a_room():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - {"experimental"} <= set(ROOMS)


# `why/` has floors of its own. `cause.py`, the data that every explanation returns, stands between the program's text and the evidence.
FLOORS = ["source", "cause", "evidence", "causes"]


def test_a_floor_of_why_imports_only_floors_below_it():
    seen = set()
    for each in imports_of(PACKAGE):
        importer, imported = each.importer.split("."), each.imported.split(".")
        if importer[1:2] == imported[1:2] == ["why"] and {*importer[2:3]} & {*FLOORS} and len(imported) > 2:
            below = FLOORS[: FLOORS.index(importer[2]) + 1]
            assert imported[2] in below, f"{each.importer}:{each.line} imports {each.imported}"
            seen.add((importer[2], imported[2]))
    assert {("causes", "evidence"), ("evidence", "source")} <= seen  # the guard looks at something


def _package(tmp_path: pathlib.Path, **files: str) -> pathlib.Path:
    """A package `whygrad` with these files, named `room__module`."""
    package = tmp_path / "whygrad"
    package.mkdir()
    (package / "__init__.py").write_text("from whygrad.ops import shaping\n")
    (package / "config.py").write_text("")
    for room in ("values", "ops", "numpy", "tape"):
        (package / room).mkdir()
        (package / room / "__init__.py").write_text("")
    for name, text in {"ops__shaping": "", **files}.items():
        (package / f"{name.replace('__', '/')}.py").write_text(textwrap.dedent(text))
    return package


def test_a_package_in_order_passes(tmp_path):
    package = _package(tmp_path, numpy__shaping="from whygrad.ops import shaping\nimport whygrad.values\n")
    assert _wrong(package) == []


def test_the_top_package_is_refused(tmp_path):
    package = _package(tmp_path, numpy__shaping="import whygrad as tf\n", numpy__sums="from whygrad import reshape\n")
    assert sorted(_wrong(package)) == [
        "whygrad.numpy.shaping:1 imports whygrad",
        "whygrad.numpy.sums:1 imports whygrad",
    ]


def test_a_cycle_through_the_top_package_is_seen(tmp_path):
    package = _package(tmp_path, numpy__shaping="import whygrad as tf\n", ops__shaping="import whygrad.numpy.shaping\n")
    assert "circular import: whygrad, whygrad.numpy.shaping, whygrad.ops.shaping" in _wrong(package)


def test_a_public_namespace_is_refused(tmp_path):
    package = _package(tmp_path, ops__shaping="from whygrad import config\n")
    assert _wrong(package) == ["whygrad.ops.shaping:1 imports whygrad.config"]


def test_an_import_inside_a_function_is_seen(tmp_path):
    upward = """
        import importlib

        def reshape(x):
            from whygrad.tape import sweep
            importlib.import_module("whygrad.config")
    """
    package = _package(tmp_path, ops__shaping=upward, tape__sweep="from whygrad.ops import shaping\n")
    assert _wrong(package) == [
        "whygrad.ops.shaping:5 imports whygrad.tape.sweep in a function",
        "whygrad.ops.shaping:6 imports whygrad.config in a function",
        "circular import between rooms: whygrad.ops.shaping, whygrad.tape.sweep",
    ]


def test_an_import_for_type_checkers_is_seen(tmp_path):
    upward = """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from whygrad.tape import sweep
    """
    package = _package(tmp_path, ops__shaping=upward, tape__sweep="")
    assert _wrong(package) == ["whygrad.ops.shaping:5 imports whygrad.tape.sweep"]


def test_a_cycle_inside_a_room_is_seen(tmp_path):
    package = _package(tmp_path, ops__sums="from . import products\n", ops__products="from .sums import total\n")
    assert _wrong(package) == ["circular import: whygrad.ops.products, whygrad.ops.sums"]


def test_a_cycle_through_the_package_of_a_room_is_seen(tmp_path):
    """Importing `whygrad.numpy.shaping` runs `whygrad/numpy/__init__.py` first."""
    package = _package(
        tmp_path,
        numpy__sums="from whygrad.values import first\n",
        numpy__shaping="",
        values__first="from whygrad.numpy import shaping\n",
    )
    (package / "numpy" / "__init__.py").write_text("from whygrad.numpy import shaping, sums\n")
    assert "circular import between rooms: whygrad.numpy, whygrad.numpy.sums, whygrad.values.first" in _wrong(package)


def test_every_room_has_tests():
    tests = pathlib.Path(__file__).parent
    rooms = [room for room in ROOMS if list((PACKAGE / room).glob("*.py"))]
    assert [room for room in rooms if not list((tests / room).glob("**/test_*.py"))] == []


def test_every_kind_of_cause_has_tests():
    tests = pathlib.Path(__file__).parent
    kinds = [path.stem.replace("-", "_") for path in (PACKAGE / "why" / "causes").glob("*.md")]
    assert len(kinds) > 60
    folders = [tests / room / "causes" for room in ("why", "compile", "keras")]
    assert [kind for kind in kinds if not any((folder / f"test_{kind}.py").exists() for folder in folders)] == []


def test_causes_read_the_evidence_and_not_the_tape():
    read = {"_versions", "_records", "_keys", "live", "tape"}
    for path in (PACKAGE / "why" / "causes").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        # An exception that leaves `gradient` is explained from the tape that raised it.
        assert "FailedCall" in names or not attributes & read, f"{path.name} reads {attributes & read}"


def test_files_named_in_documents_exist():
    root = pathlib.Path(__file__).parent.parent
    pages = [*(root / "docs").glob("*.md"), *root.glob("*.md")]
    named = {name for page in pages for name in re.findall(r"`((?:\w+/)+\w+\.py)`", page.read_text(encoding="utf-8"))}
    assert len(named) > 60
    places = [root, PACKAGE, PACKAGE / "why"]
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []


def test_the_architecture_lists_the_rooms_in_their_order():
    text = (pathlib.Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = text.split("## The rooms")[1].split("```")[1]
    assert re.findall(r"^  (\w+)/ ", listed, re.MULTILINE) == ROOMS
