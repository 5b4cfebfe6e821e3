"""`python -m tools.array_api_tests`, on a small suite in the form of `array-api-tests`."""

import textwrap

from tools import array_api_tests

SUITE = {
    "__init__.py": """
        import importlib
        import os

        from hypothesis.extra import array_api

        xp = importlib.import_module(os.environ["ARRAY_API_TESTS_MODULE"])
        xps = array_api.make_strategies_namespace(xp, api_version="2023.12")
    """,
    "test_indexing.py": """
        import collections.abc

        from hypothesis import HealthCheck, given, settings

        from . import xp, xps

        x = xp.ones((2, 3))

        @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
        @given(xps.arrays(xp.int32, x.shape), xps.indices(x.shape), xps.mutually_broadcastable_shapes(2, base_shape=x.shape))
        def test_shapes_are_taken_where_tuples_are_wanted(y, key, shapes):
            assert y.shape == x.shape
            assert y[key].dtype == xp.int32
            assert isinstance(x.shape, collections.abc.Sequence)

        def test_tensors_are_arrays():
            assert x.__array_namespace__() is xp
    """,
    "test_array_object.py": """
        from . import xp

        def test_setitem():
            xp.ones(2)[0] = 3.0
    """,
}


def write(folder):
    (folder / "array_api_tests").mkdir()
    for name, text in SUITE.items():
        (folder / "array_api_tests" / name).write_text(textwrap.dedent(text))


def test_a_suite_is_run_with_known_failures_expected(tmp_path, capfd):
    write(tmp_path)
    assert array_api_tests.main([str(tmp_path), "-rx"]) == 0
    said = capfd.readouterr().out
    assert "2 passed, 1 xfailed" in said
    assert "tensors never change" in said


def test_a_failure_that_is_not_known_gives_pytests_status(tmp_path):
    write(tmp_path)
    (tmp_path / "array_api_tests" / "test_other.py").write_text("def test_other():\n    assert False\n")
    assert array_api_tests.main([str(tmp_path), "-k", "other"]) == 1


def test_without_a_clone_it_says_what_it_wants(tmp_path, capsys):
    assert array_api_tests.main([]) == 2
    assert "clone https://github.com/data-apis/array-api-tests" in capsys.readouterr().out
    assert array_api_tests.main([str(tmp_path)]) == 2
    assert "has no folder array_api_tests" in capsys.readouterr().out
