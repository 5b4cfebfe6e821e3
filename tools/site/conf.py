"""Sphinx's settings. `tools/site/__main__.py` copies this file beside the pages."""

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Generic, Keyword, Name, Text
from sphinx.application import Sphinx

from whygrad import __version__

project = "whygrad"
author = "the whygrad authors"
copyright = "the whygrad authors, Apache License 2.0"
version = release = __version__
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["_doctrees"]
myst_heading_anchors = 4
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # parts of programs need not be whole
add_module_names = False
python_maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"whygrad {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


class ReportLexer(RegexLexer):
    """What whygrad prints: the command, line numbers, the marks below an expression and what they say, the help."""

    name = "whygrad"
    aliases = ["whygrad"]
    tokens = {
        "root": [
            (r"^\$ .*\n", Generic.Prompt),
            (r"^(\s*)(help:|more:)(.*\n(?:        +.*\n)*)", bygroups(Text, Keyword, Text)),
            (r"^( *\d* *│)( *)(\^+)(.*\n)", bygroups(Comment, Text, Generic.Error, Name.Attribute)),
            (r"^( +│)( +\S.*\n)", bygroups(Comment, Name.Attribute)),
            (r"^( *\d+ *│)(.*\n)", bygroups(Comment, Text)),
            (r"^whygrad: .*\n", Generic.Strong),
            (r".*\n", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    app.add_lexer("whygrad", ReportLexer)
