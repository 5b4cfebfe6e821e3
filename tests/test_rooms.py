"""The rooms of the house import only rooms before them (docs/architecture.md)."""

import ast
import pathlib

import whygrad

ROOMS = ["values", "engines", "ops", "numpy", "tape", "compile", "modules", "testing", "why", "view", "run"]
PACKAGE = pathlib.Path(whygrad.__file__).parent

# Ways back, each looked up when somebody first asks: the recorded namespace hands rules the functions of whygrad.numpy, and
# `whygrad.why()` shows its answer.
LATE = {("ops/recorded.py", "numpy"), ("why/__init__.py", "view")}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_a_room_imports_only_rooms_before_it():
    seen = set()
    for room in ROOMS:
        for path in (PACKAGE / room).rglob("*.py"):
            where = path.relative_to(PACKAGE).as_posix()
            for module in _imports(path):
                parts = module.split(".")
                if parts[0] != "whygrad" or len(parts) < 2 or parts[1] not in ROOMS:
                    continue
                seen.add((room, parts[1]))
                if (where, parts[1]) not in LATE:
                    assert ROOMS.index(parts[1]) <= ROOMS.index(room), f"{where} imports {module}"
    assert ("tape", "ops") in seen  # the guard looks at something


def test_rooms_do_not_import_the_public_namespaces():
    public = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "_version"}
    for room in ROOMS:
        for path in (PACKAGE / room).rglob("*.py"):
            for module in _imports(path):
                parts = module.split(".")
                if parts[0] == "whygrad" and len(parts) > 1 and parts[1] not in ROOMS:
                    assert parts[1] not in public, f"{path.relative_to(PACKAGE)} imports {module}"


# `why/` has floors of its own. `cause.py`, the data that every explanation returns, stands between the program's text and the evidence.
FLOORS = ["source", "cause", "evidence", "causes"]


def test_a_floor_of_why_imports_only_floors_below_it():
    seen = set()
    for floor, name in enumerate(FLOORS):
        folder = PACKAGE / "why" / name
        for path in folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]:
            for module in _imports(path):
                parts = module.split(".")
                if parts[:2] != ["whygrad", "why"] or len(parts) < 3:
                    continue
                assert parts[2] in FLOORS[: floor + 1], f"{path.relative_to(PACKAGE)} imports {module}"
                seen.add((name, parts[2]))
    assert {("causes", "evidence"), ("evidence", "source")} <= seen  # the guard looks at something
