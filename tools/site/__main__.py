from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import sys

from tools.site import catalogue, pages, reference

HERE = pathlib.Path(__file__).parent


def write_sources(folder: pathlib.Path) -> None:
    """Write everything that Sphinx reads."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "static", folder / "_static")
    shutil.copy(HERE / "conf.py", folder)
    texts = pages.pages() | catalogue.pages() | reference.pages()
    texts["index.md"] += pages.contents(sorted(texts))
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pages.copy_pictures(folder)


def loaded_from_elsewhere(folder: pathlib.Path) -> list[str]:
    """The scripts, styles, fonts and pictures that pages would load from another host."""
    loads = re.compile(
        r"""<(?:script|img|iframe)\b[^>]*\bsrc=["'](?:https?:)?//|<link\b[^>]*\bhref=["'](?:https?:)?//|@import[^;]*//"""
    )
    paths = [path for path in folder.rglob("*") if path.suffix in (".html", ".css")]
    return [f"{path}: {found[0]}" for path in paths for found in loads.finditer(path.read_text(encoding="utf-8"))]


def main(arguments: list[str] | None = None) -> int:
    """Build the site. The exit status is not 0 if Sphinx has a warning, for instance about a link that leads nowhere."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description="Build the site from docs/.")
    parser.add_argument("--out", type=pathlib.Path, default=pages.ROOT / "build" / "site", help="default: build/site")
    out = parser.parse_args(arguments).out
    sources = out.with_name(f"{out.name}-source")
    write_sources(sources)
    from sphinx.cmd.build import main as sphinx

    shutil.rmtree(out, ignore_errors=True)
    done = sphinx(["-q", "-W", "--keep-going", "-E", "-d", str(sources / "_doctrees"), str(sources), str(out)])
    if done == 0 and (fetched := loaded_from_elsewhere(out)):
        print("these pages load something from the network:", *fetched, sep="\n", file=sys.stderr)
        return 1
    if done == 0:
        print(f"{out / 'index.html'}: {len(list(out.rglob('*.html'))):,} pages")
    return int(done)


if __name__ == "__main__":
    sys.exit(main())
