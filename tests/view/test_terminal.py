"""Code frames, compared letter by letter."""

import io
import linecache
import os
import pty
import re
import termios

import pytest

from tests.view.places import cause, site, write
from whygrad.view.cells import Look, cells, look_of, wrapped
from whygrad.view.terminal import render
from whygrad.why.source.sites import Site


def shown(text):
    """The expected frame, as it stands in the test: without the first line break."""
    return text.removeprefix("\n")


@pytest.fixture
def program(tmp_path):
    return write(tmp_path / "program.py", "\n" * 37 + "codes = tf.cast(bias, tf.int32)" + "\n" * 14 + ASKING)


ASKING = "grads = tape.gradient(loss, [w, bias])\n"


def cast(program):
    cut = site(
        program,
        "tf.cast(bias, tf.int32)",
        "cut here",
        "bias float32 (16,) becomes int32 (16,); integers have no derivative",
    )
    asked = site(program, "bias", "asked here", nth=2)
    return cause(
        cut,
        asked,
        sentence="the gradient of loss with respect to `bias` is None: a cast to int32 cuts the path",
        help='keep codes in float32, or pass unconnected_gradients="zero" if zero is what you mean',
    )


def test_a_frame_is_sentence_lines_carets_and_help(program):
    assert render(cast(program), width=120) == shown("""
the gradient of loss with respect to `bias` is None: a cast to int32 cuts the path
  38 │ codes = tf.cast(bias, tf.int32)
     │         ^^^^^^^^^^^^^^^^^^^^^^^  cut here: bias float32 (16,) becomes int32 (16,); integers have no derivative
  52 │ grads = tape.gradient(loss, [w, bias])
     │                                 ^^^^  asked here
  help: keep codes in float32, or pass unconnected_gradients="zero" if zero is what you mean""")


def test_a_narrow_terminal_wraps_sentence_notes_and_help(program):
    text = render(cast(program), width=60)
    assert text == shown("""
the gradient of loss with respect to `bias` is None: a cast
  to int32 cuts the path
  38 │ codes = tf.cast(bias, tf.int32)
     │         ^^^^^^^^^^^^^^^^^^^^^^^
     │         cut here: bias float32 (16,) becomes int32
     │         (16,); integers have no derivative
  52 │ grads = tape.gradient(loss, [w, bias])
     │                                 ^^^^  asked here
  help: keep codes in float32, or pass
        unconnected_gradients="zero" if zero is what you
        mean""")
    assert all(cells(line) <= 60 for line in text.split("\n"))


def test_a_long_note_goes_on_beside_its_carets_where_there_is_room(program):
    note = "a note that is too long for one line, but has enough room beside the carets to be read there"
    assert render(cause(site(program, "codes", "made here", note)), width=80) == shown("""
it went wrong
  38 │ codes = tf.cast(bias, tf.int32)
     │ ^^^^^  made here: a note that is too long for one line, but has enough
     │        room beside the carets to be read there""")


def test_ascii_only(program):
    found = cause(site(program, "bias", "made here", "2 × 3…"), sentence="größer", help="“quoted”")
    assert render(found, ascii=True) == shown("""
gr??er
  38 | codes = tf.cast(bias, tf.int32)
     |                 ^^^^  made here: 2 x 3...
  help: "quoted\"""")


def test_colour_surrounds_the_marked_text_and_changes_no_letter(program):
    coloured = render(cast(program), colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(cast(program))
    assert "\x1b[1;31m^^^^^^^^^^^^^^^^^^^^^^^  cut here" in coloured  # the causing place
    assert "\x1b[1;36m^^^^  asked here" in coloured  # another
    assert "\x1b[1;32mhelp:\x1b[0m keep" in coloured


def test_an_inferred_cause_is_called_likely(program):
    assert render(cause(sentence="softmax twice", likely=True)) == "likely: softmax twice"


def test_expression_over_several_lines(tmp_path):
    program = write(
        tmp_path / "program.py",
        """\
        def step():
            loss = tf.reduce_mean(
                tf.square(

                    y - target)
            )
        """,
    )
    found = cause(site(program, "tf.square(\n\n            y - target)", "made here"))
    assert render(found) == shown("""
it went wrong
  3 │ tf.square(
    │ ^^^^^^^^^^
  4 │
  5 │     y - target)
    │     ^^^^^^^^^^^  made here""")


def test_a_very_long_expression_shows_its_beginning_and_end(tmp_path):
    program = write(tmp_path / "program.py", "y = add(\n" + "".join(f"    x{i},\n" for i in range(9)) + ")\n")
    text = "add(\n" + "".join(f"    x{i},\n" for i in range(9)) + ")"
    assert render(cause(site(program, text, "made here"))) == shown("""
it went wrong
   1 │ y = add(
     │     ^^^^
   2 │     x0,
     │     ^^^
   …
  11 │ )
     │ ^  made here""")


def test_sites_come_in_the_order_of_lines_with_an_ellipsis_between_distant_ones(tmp_path):
    program = write(tmp_path / "program.py", "a = 1\n" + "\n" * 40 + "b = 2\nc = 3\n")
    found = cause(site(program, "c", "last"), site(program, "a", "first"), site(program, "b", "then"))
    assert render(found) == shown("""
it went wrong
   1 │ a = 1
     │ ^  first
   …
  42 │ b = 2
     │ ^  then
  43 │ c = 3
     │ ^  last""")
    assert "\n ...\n" in render(found, ascii=True).replace("  ...", " ...")


def test_several_marks_in_one_line(tmp_path):
    program = write(tmp_path / "program.py", "z = x @ w + x\n")
    found = cause(
        site(program, "x @ w", "made here"),
        site(program, "w", "float32 (3, 4)"),
        site(program, "w", "a Variable"),
    )
    assert render(found) == shown("""
it went wrong
  1 │ z = x @ w + x
    │     ^^^^^  made here
    │         ^  float32 (3, 4); a Variable""")


def test_another_file_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    program = write(tmp_path / "program.py", "g = tape.gradient(y, x)\n")
    layer = write(tmp_path / "lib" / "layer.py", "def call(x):\n    return tf.round(x)\n")
    found = cause(site(layer, "tf.round(x)", "cut here"), site(program, "x", "asked here"))
    both = shown("""
it went wrong
  in lib/layer.py
  2 │ return tf.round(x)
    │        ^^^^^^^^^^^  cut here
  in program.py
  1 │ g = tape.gradient(y, x)
    │                      ^  asked here""")
    assert render(found) == render(found, here=str(program)) == both


def test_tabs_wide_and_combining_characters_keep_the_carets_in_place(tmp_path):
    program = write(tmp_path / "program.py", 'if x:\n\ty =\tf("梯度", e\N{COMBINING ACUTE ACCENT}, w)\n')
    assert render(cause(site(program, "if"), site(program, "w", "here"))) == shown(
        "\nit went wrong\n"
        "  1 │ if x:\n"
        "    │ ^^\n"
        '  2 │     y = f("梯度", e\N{COMBINING ACUTE ACCENT}, w)\n'
        "    │                      ^  here"
    )


def test_control_characters_are_not_written(tmp_path):
    program = write(tmp_path / "program.py", 's = "\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}" + w\n')
    assert render(cause(site(program, "w"), sentence="bad \x1b[31mname")) == shown("""
bad ?[31mname
  1 │ s = "?[2J�" + w
    │               ^""")


def test_without_source_the_place_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gone = Site(str(tmp_path / "gone.py"), 12, 0, 12, 0, "", "cut here", "int32 (3,)")
    typed = Site("<stdin>", 3, 0, 3, 0, "", "asked here")
    assert render(cause(gone, typed)) == shown("""
it went wrong
  gone.py:12  cut here: int32 (3,)
  <stdin>:3  asked here""")


def test_a_file_edited_since_shows_the_source_that_ran(tmp_path):
    program = write(tmp_path / "program.py", "y = tf.round(x)\n")
    found = cause(site(program, "tf.round(x)", "cut here"))
    write(program, "# a line above\ny = tf.floor(x)\n")
    linecache.clearcache()
    assert render(found) == shown("""
it went wrong
  1 │ tf.round(x)
    │ ^^^^^^^^^^^  cut here""")


def test_a_line_without_known_columns_is_underlined_as_a_whole(tmp_path):
    program = write(tmp_path / "program.py", "if a:\n    y = b  \n")
    found = Site(str(program), 2, 0, 2, 0, "y = b", "made here")
    assert render(cause(found)) == shown("""
it went wrong
  2 │ y = b
    │ ^^^^^  made here""")


def test_a_long_line_is_cut_around_the_marked_text(tmp_path):
    words = " + ".join(f"word{i:02}" for i in range(20))
    program = write(tmp_path / "program.py", f"y = {words}\n")
    assert render(cause(site(program, "word01", "here")), width=60) == shown("""
it went wrong
  1 │ y = word00 + word01 + word02 + word03 + word04 + word…
    │              ^^^^^^  here""")
    text = render(cause(site(program, "word15", "here")), width=60)
    line, carets = text.split("\n")[1:3]
    assert len(line) <= 60
    assert line[carets.index("^") : carets.rindex("^") + 1] == "word15"


def test_marks_too_far_apart_in_a_long_line_are_shown_one_after_the_other(tmp_path):
    words = " + ".join(f"word{i:02}" for i in range(20))
    program = write(tmp_path / "program.py", f"y = {words}\n")
    text = render(cause(site(program, "word01", "one"), site(program, "word18", "two")), width=60)
    first, one, second, two, label = text.split("\n")[1:]
    assert label.strip("│ ") == "two"
    assert first[one.index("^") : one.rindex("^") + 1] == "word01"
    assert second[two.index("^") : two.rindex("^") + 1] == "word18"
    assert first.startswith("  1 │ y = word00")
    assert second.startswith("  1 │ …")


def test_a_mark_longer_than_the_line_shows_its_beginning(tmp_path):
    words = " + ".join(f"word{i:02}" for i in range(20))
    program = write(tmp_path / "program.py", f"y = {words}\n")
    lines = render(cause(site(program, words, "made here")), width=60).split("\n")
    assert lines[1].startswith("  1 │ …word00 + word01")
    assert lines[3] == "    │  made here"
    assert all(cells(line) <= 60 for line in lines)


@pytest.mark.parametrize("width", [40, 53, 80, 200])
@pytest.mark.parametrize("ascii", [False, True])
def test_no_line_is_wider_than_the_terminal(tmp_path, width, ascii):
    wide = "'" + "梯度" * 40 + "'"
    program = write(tmp_path / "program.py", f"value = f({wide}, weight)  # {'long ' * 30}\n")
    found = cause(
        site(program, "weight", "asked here", "w" * 100),
        site(program, wide, "made here", "float32 (3, 4) " * 9),
        sentence="sentence " * 30,
        help="x" * 300 + "\n    code stays indented",
    )
    for line in render(found, width=width, ascii=ascii).split("\n"):
        assert cells(line) <= width, line


def test_wrapping_keeps_line_breaks_and_indentation():
    assert wrapped("first\n    x = 1\n\nlast", 20, "help: ", "      ") == [
        "help: first",
        "          x = 1",
        "",
        "      last",
    ]


# -- what a stream can take --


class Terminal(io.StringIO):
    def __init__(self, encoding="utf-8"):
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self):
        return self._encoding

    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    for name in ("NO_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)


def test_colour_only_on_a_terminal_that_wants_it(monkeypatch):
    assert look_of(Terminal()).colour
    assert not look_of(io.StringIO()).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not look_of(Terminal()).colour
    monkeypatch.setenv("NO_COLOR", "")
    assert look_of(Terminal()).colour
    monkeypatch.setenv("TERM", "dumb")
    assert not look_of(Terminal()).colour


@pytest.mark.parametrize(("encoding", "ascii"), [("utf-8", False), ("latin-1", True), ("ascii", True), ("odd", True)])
def test_ascii_where_the_encoding_wants_it(encoding, ascii):
    assert look_of(Terminal(encoding)).ascii is ascii


def test_width(monkeypatch):
    assert look_of(io.StringIO()).width == 120
    monkeypatch.setenv("COLUMNS", "77")
    assert look_of(Terminal()).width == 77
    monkeypatch.setenv("COLUMNS", "7")
    assert look_of(Terminal()).width == 40


def test_the_width_of_a_terminal_is_its_own():
    here, there = pty.openpty()
    termios.tcsetwinsize(there, (24, 91))
    with os.fdopen(there, "w", encoding="utf-8") as stream:
        assert look_of(stream).width == 91
    os.close(here)


def test_a_closed_stream_is_no_terminal():
    stream = Terminal()
    stream.isatty = io.StringIO().isatty
    closed = io.StringIO()
    closed.close()
    assert look_of(closed) == Look(120, False, True)
