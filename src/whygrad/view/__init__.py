"""Causes shown: in the terminal, as a report, as data. Views decide nothing: they draw what `why` found."""
