"""The ops: each beside its rule, one file per family."""
