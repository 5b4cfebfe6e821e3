"""A warning that draws its own code frame is shown without the source line that Python adds."""

import io
import sys
import warnings

from whygrad.runtime.warning_lines import formatter_of, is_shown_on_stderr


class Framed(UserWarning):
    """A warning that notes with what it is formatted."""

    found: object = "not formatted"

    def __str__(self):
        Framed.found = formatter_of(self, sys._getframe(1))
        return "framed"


def test_the_formatter_of_python_is_found():
    message = Framed()
    shown = warnings.WarningMessage(message, Framed, __file__, 1)
    warnings._formatwarnmsg(shown)
    assert Framed.found is shown


def test_another_caller_is_no_formatter():
    assert str(Framed()) == "framed"
    assert Framed.found is None
    assert formatter_of(Framed(), None) is None


def test_only_pythons_own_function_writes_to_stderr(monkeypatch):
    shown = warnings.WarningMessage(Framed(), Framed, __file__, 1)
    monkeypatch.setattr(warnings, "showwarning", warnings._showwarning_orig)
    assert is_shown_on_stderr(shown)
    assert not is_shown_on_stderr(warnings.WarningMessage(Framed(), Framed, __file__, 1, file=io.StringIO()))
    monkeypatch.setattr(warnings, "showwarning", lambda *args: None)
    assert not is_shown_on_stderr(shown)
