"""The site: the pages of `docs/`, the catalogue of causes and an API reference, built by Sphinx.

    pip install '.[docs]'
    python -m tools.site            # writes build/site/index.html

The pages are Markdown that also reads well in the repository. `pages.py` brings them to their places in the site and checks their
links, `catalogue.py` makes a page for each kind of cause, `reference.py` writes the API reference from the docstrings. Sphinx then
builds everything, and each of its warnings is an error. The site needs no network, neither to be built nor to be read.
"""
