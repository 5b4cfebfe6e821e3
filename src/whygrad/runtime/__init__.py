"""What depends on CPython, NumPy's internals or the process around us: one module for each trick, with its fallback."""
