"""The pytest plug-in: with `pytest --why`, a failing test shows what is wrong with the gradients that were taken in it.

pytest loads this module whenever whygrad is installed. So it stands outside of the package `whygrad`, and imports it only on request.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add `--why`."""
    group = parser.getgroup("whygrad")
    group.addoption("--why", action="store_true", help="show under a failing test what is wrong with its gradients")
    # pytest rewrites the assertions of all packages that come with a plug-in, which takes seconds for one as large as whygrad.
    hook: Any = getattr(pluginmanager, "rewrite_hook", None)
    getattr(hook, "_must_rewrite", set()).discard("whygrad")


def pytest_configure(config: pytest.Config) -> None:
    """Trace tests, if that was requested."""
    if config.getoption("--why"):
        config.pluginmanager.register(Why(), "whygrad-why")


class Why:
    """Traces each test, and adds the findings to the report of one that fails."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Run a test inside a trace. Its warnings are those that it has without one."""
        from whygrad.why.evidence.trace import tracing

        with tracing() as trace:
            trace.warns = True
            item.stash[_trace] = trace
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the findings to the report of a test that failed."""
        report = yield
        trace = item.stash.get(_trace, None)
        if call.when == "call" and trace is not None:
            del item.stash[_trace]  # the trace holds what the test computed
            if report.failed and (trace.findings or trace.counts["gradients"]):
                report.sections.append(("whygrad", str(trace)))
        return report


_trace: pytest.StashKey[Any] = pytest.StashKey()
