"""From evidence to causes: one file for each kind of cause or close family, its catalogue page beside it."""
