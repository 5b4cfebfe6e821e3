"""Write what follows from the public names that `src/whygrad` declares: the table for loading, stubs for type checkers, and the page
`docs/compatibility.md`.

    python -m tools.public_names          write the files that changed
    python -m tools.public_names --check  only say which are stale; the exit status is 1 if any is

A declaration is `@export("tanh", "math.tanh")` on a function or class, `name = export(...)(value)` on a value, or
`exports=(...)` in the call that makes an op; `export_defined("numpy")` declares all that a module defines. They are read from
the syntax trees. The signatures of ops that a call makes are asked of the functions themselves, so whygrad is imported for the
stubs.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "whygrad"
TABLE = PACKAGE / "_public" / "table.py"
COMMAND = "python -m tools.public_names"


class Declared(NamedTuple):
    """Something public: the namespace and the name it has there, and where it is declared.

    `name` is empty for a module. `made` says that a call made it: its signature is not in the source.
    """

    namespace: str
    public: str
    home: str
    name: str
    made: bool


def module_of(namespace: str) -> str:
    """The module of a namespace, as `whygrad._public.place_of` has it, which cannot be imported before there is a table."""
    return f"whygrad.{namespace.replace('.', '_')}" if namespace else "whygrad"


def module_in(path: pathlib.Path) -> str:
    """The name of the module in a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def declarations() -> list[Declared]:
    """Everything that is declared public, and the namespaces, which are public where their parents are."""
    found: list[Declared] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "export" in text:
            for names, name, made in _declared_in(ast.parse(text)):
                for full in names:
                    namespace, _, public = full.rpartition(".")
                    found.append(Declared(namespace, public, module_in(path), name, made))
    namespaces = {each.namespace for each in found}
    namespaces |= {namespace.rpartition(".")[0] for namespace in namespaces}
    for namespace in sorted(namespaces - {"", "numpy"}):  # programs import whygrad.numpy themselves
        parent, _, public = namespace.rpartition(".")
        found.append(Declared(parent, public, module_of(namespace), "", False))
    refuse_doubles(found)
    return found


def _declared_in(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """The public names, the name in the module, and whether a call made it, for each declaration of a module."""
    yield from _all_defined_in(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if (names := _exported(decorator)) is not None:
                    yield names, node.name, False
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            made = node.value
            if (names := _exported(made.func)) is not None:
                yield names, _defined_by(node)[0], isinstance(made.args[0], ast.Call)
            for keyword in made.keywords:
                if keyword.arg == "exports":
                    yield ast.literal_eval(keyword.value), _defined_by(node)[0], True
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            names = _exported(node.value.func)
            if names is not None:
                value = node.value.args[
                    0
                ]  # a name that the module has, such as an alias of types; or else the module itself
                yield names, value.id if isinstance(value, ast.Name) else "", False


def _all_defined_in(tree: ast.Module) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """The same for the names that `export_defined` declares, if the module calls it."""
    for call in tree.body:
        match call:
            case ast.Expr(ast.Call(ast.Name("export_defined"), [ast.Constant(str(namespace))], keywords)):
                kept = {name for keyword in keywords for name in ast.literal_eval(keyword.value)}
                defined = [name for node in tree.body for name in _defined_by(node)]
                for name in sorted(set(defined) - kept):
                    if not name.startswith("_"):
                        yield (f"{namespace}.{name}",), name, False


def _defined_by(node: ast.stmt) -> list[str]:
    """The names that a statement defines: a function, a class or an assignment."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def _exported(node: ast.expr) -> tuple[str, ...] | None:
    """The names in `export("name", ...)`; None for any other expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "export":
        return tuple([ast.literal_eval(each) for each in node.args])
    return None


def refuse_doubles(found: list[Declared]) -> None:
    """Exit with a message if one public name is declared in two modules."""
    homes: dict[tuple[str, str], str] = {}
    for each in found:
        other = homes.setdefault((each.namespace, each.public), each.home)
        if other != each.home:
            where = f"whygrad.{each.namespace}".rstrip(".")
            raise SystemExit(f"{where}.{each.public} is declared twice: in {other} and in {each.home}")


# -- the table --


def table(found: list[Declared]) -> str:
    """The text of `table.py`."""
    lines = [
        f'"""Generated by `{COMMAND}`: the public names by namespace and by the module that declares them, and the kernels.',
        "",
        "`name:public` has another name there than where it is declared; a module itself is `:public`.",
        '"""',
        "",
        "TABLE = {",
    ]
    for namespace in sorted({each.namespace for each in found}):
        lines.append(f'    "{module_of(namespace)}": {{')
        inside = [each for each in found if each.namespace == namespace]
        for home in sorted({each.home for each in inside}):
            entries = sorted(
                each.name if each.name == each.public else f"{each.name}:{each.public}"
                for each in inside
                if each.home == home
            )
            lines.append(f'        "{home}": "{" ".join(entries)}",')
        lines.append("    },")
    lines += ["}", "", "# The kernels of the NumPy engine, by the module and class of their family.", "KERNELS = {"]
    lines += [f'    "{family}": "{" ".join(kernels)}",' for family, kernels in kernel_families().items()]
    return "\n".join([*lines, "}", ""])


def kernel_families() -> dict[str, list[str]]:
    """The names of the NumPy engine's kernels, for each family: `module:class`."""
    found = {}
    for path in sorted((PACKAGE / "engines").glob("numpy_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name.endswith("Kernels"):
                names = {name for each in node.body for name in _defined_by(each)}
                found[f"{module_in(path)}:{node.name}"] = sorted(names)
    return found


# -- the stubs --


def stub(namespace: str, found: list[Declared]) -> str:
    """The text of the stub of a namespace."""
    inside = sorted((each for each in found if each.namespace == namespace), key=lambda each: each.public)
    imports: dict[str, list[str]] = {}
    functions = []
    for each in inside:
        if not each.name:
            package, _, name = each.home.rpartition(".")
        elif not each.made or not inspect.isfunction(_value(each)):
            package, name = each.home, each.name
        else:
            first = next(other for other in found if (other.home, other.name) == (each.home, each.name))
            if first == each:
                functions.append(_signature(each))
                continue
            if first.namespace == namespace:
                functions.append(f"{each.public} = {first.public}\n")
                continue
            package, name = module_of(first.namespace), first.public
        imports.setdefault(package, []).append(name if name == each.public else f"{name} as {each.public}")
    if functions:
        imports.setdefault("whygrad.values.tensor", []).append("Tensor as _Tensor")
        imports.setdefault("whygrad.values.tensor_like", []).append("TensorLike as _TensorLike")
    if not namespace:
        imports["whygrad._version"] = ["__version__ as __version__"]
    return "\n".join([
        f"# Generated by `{COMMAND}`.",
        "",
        *[f"from {package} import ({_listed(sorted(names))})" for package, names in sorted(imports.items())],
        "",
        f"__all__ = [{_listed([repr(each.public) for each in inside])}]",
        "",
        *functions,
    ])  # fmt: skip


def _listed(names: list[str]) -> str:
    """One name a line, so that two changes rarely meet."""
    return "".join(f"\n    {name}," for name in names) + "\n"


def _value(each: Declared) -> Any:
    return getattr(importlib.import_module(each.home), each.name)


def _signature(each: Declared) -> str:
    """A function that a call made, as a stub declares it: `name` is a string, the others are tensors or become tensors."""
    function = _value(each)
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "name":
            parameters.append("name: str | None = None")
        else:
            default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
            parameters.append(f"{parameter.name}: _TensorLike{default}")
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    return f'def {each.public}({", ".join(parameters)}) -> _Tensor:\n    """{summary}"""\n'


# -- the files --


def files() -> dict[pathlib.Path, str]:
    """What each generated file should say."""
    found = declarations()
    texts = {TABLE: table(found)}
    for namespace in sorted({each.namespace for each in found}):
        path = PACKAGE.parent / (module_of(namespace).replace(".", "/"))
        texts[path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")] = stub(namespace, found)
    from tools import compatibility  # it imports whygrad, which needs the table

    texts[compatibility.FILE] = compatibility.page()
    return texts


def stale() -> list[pathlib.Path]:
    """The generated files that do not say what they should, and stubs that should not be there."""
    texts = files()
    wrong = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    return wrong + [path for path in sorted(PACKAGE.rglob("*.pyi")) if path not in texts]


def main(arguments: list[str]) -> int:
    """Write the files, or say which are stale."""
    if "--check" in arguments:
        wrong = stale()
        for path in wrong:
            print(f"stale: {path.relative_to(ROOT)}; run `{COMMAND}`")
        return 1 if wrong else 0
    TABLE.write_text(table(declarations()), encoding="utf-8")  # before whygrad is imported, which needs it
    texts = files()
    for path in stale():
        print(path.relative_to(ROOT))
        if path in texts:
            path.write_text(texts[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
