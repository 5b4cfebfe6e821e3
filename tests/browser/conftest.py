"""Chromium, and programs run under whygrad whose pages it opens. Where the packages are missing the tests are skipped, but not in CI."""

import importlib.util
import os
import pathlib
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def require(is_there, what):
    """Skip where something is not installed; fail where everything must be."""
    if not is_there:
        if os.environ.get("WHYGRAD_REQUIRE_ORACLES") == "1":
            pytest.fail(f"{what} is missing")
        pytest.skip(f"{what} is missing")


@pytest.fixture(scope="session")
def browser():
    """A Chromium that all tests share."""
    require(importlib.util.find_spec("playwright") is not None, "playwright")
    require(CHROMIUM is not None, "Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open a page from disk. Errors on its console and requests for anything else fail the test."""
    wrong, contexts = [], []

    def open_page(html, **options):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        options = {"viewport": {"width": 1500, "height": 950}, **options}
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
        page.on("request", lambda request: wrong.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=30_000)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def picture(request):
    """Keep a picture of a page where `WHYGRAD_PICTURES` names a folder, for a person to look at."""

    def keep(page, name):
        folder = os.environ.get("WHYGRAD_PICTURES")
        if folder:
            page.screenshot(path=pathlib.Path(folder) / f"{name}.png")

    return keep
