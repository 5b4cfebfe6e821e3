"""The benchmarks compute the same thing by hand and with whygrad, and still run. Nothing is timed here."""

import importlib
import pathlib
import sys

import numpy as np
import pytest

import whygrad as tf

BENCHMARKS = pathlib.Path(__file__).parents[1] / "benchmarks"
_MODULES = ("workloads", "worker", "families", "tracing_overhead", "looks", "killed_saves", "data")


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module
    for name in [name for name in sys.modules if name.partition(".")[0] in _MODULES]:
        del sys.modules[name]


def _answer(result):
    """What a step is there for, as an array: the first of several, a lookup's sparse gradient as its rows."""
    while isinstance(result, list | tuple):
        result = result[0]
    return np.squeeze(np.asarray(getattr(result, "values", result)))


@pytest.mark.parametrize("workload", ["chain", "mlp", "line", "rows_500", "gather", "jacobian", "second_order"])
def test_a_workload_is_the_same_by_hand(benchmarks, workload):
    worker = benchmarks("worker")
    by_hand = worker.find("numpy", workload)(np)
    ours = worker.find("whygrad", workload)(tf)
    for _ in range(3):  # also after updates
        np.testing.assert_allclose(_answer(ours()), _answer(by_hand()), rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("workload", ["convolution", "attention", "scalars_20k"])
def test_a_workload_runs(benchmarks, workload):
    assert np.isfinite(_answer(benchmarks("worker").find("whygrad", workload)(tf)())).all()


@pytest.mark.parametrize("number", range(4))
def test_a_drawn_chain_is_the_same_by_hand(benchmarks, number):
    program = benchmarks("workloads.drawn").draw("chain", number)
    for ours, by_hand in zip(program.step("whygrad", tf)(), program.step("numpy", np)(), strict=True):
        np.testing.assert_allclose(ours, by_hand, rtol=1e-5, atol=1e-5)


def test_drawn_programs_run(benchmarks):
    drawn = benchmarks("workloads.drawn")
    for family in ("second_order", "training", "convolution", "attention"):
        gradients = drawn.draw(family, 1).step("whygrad", tf)()
        assert all(np.isfinite(each).all() for each in gradients), family


def test_a_table_of_a_family_has_mean_and_worst(benchmarks):
    best = [{"whygrad": 2e-6, "torch": 1e-6}, {"whygrad": 1e-6, "torch": 2e-6}]
    lines = benchmarks("families").table("chain", best, 2).splitlines()
    assert lines[2:4] == ["| **geometric mean** | | 1.00 |", "| **worst** | | 2.00 |"]


def test_a_choice_of_kernels_is_printed(benchmarks, monkeypatch):
    kernels = benchmarks("families").kernels
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    assert kernels() == ", OPENBLAS_CORETYPE=Haswell for NumPy"
    monkeypatch.delenv("OPENBLAS_CORETYPE")
    assert kernels() == ""


def test_the_cost_of_explaining_is_measured(benchmarks, monkeypatch, capsys):
    overhead = benchmarks("tracing_overhead")
    monkeypatch.setattr(overhead, "ROUNDS", 1)
    monkeypatch.setattr(overhead, "STEPS", 1)
    overhead.main()
    assert "full tracing" in capsys.readouterr().out


def test_the_cost_of_looking_is_measured(benchmarks, monkeypatch, capsys):
    looks = benchmarks("looks")
    monkeypatch.setattr(looks, "STEPS", 8)
    looks.main()
    assert "chain of 150 ops" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_saves_that_are_killed_leave_whole_checkpoints(benchmarks):
    assert benchmarks("killed_saves").main(kills=3) == 0


def test_pipelines_give_all_batches(benchmarks, monkeypatch, tmp_path):
    data = benchmarks("data")
    monkeypatch.setattr(data, "SCALARS", 2_000)
    monkeypatch.setattr(data, "MAPPED", 200)
    pytest.importorskip("PIL")
    data.make_images(tmp_path, count=3, size=(20, 30))
    counts = {name: make(tf, tmp_path)() for name, make in data.WORKLOADS.items()}
    assert counts == {"scalars": 16, "numbers": 16, "shuffled": 2, "mapped": 2, "images": 1}
