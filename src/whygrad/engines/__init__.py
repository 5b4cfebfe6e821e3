"""Engines compute with arrays: NumPy by default, XLA for compiled functions and accelerators."""
