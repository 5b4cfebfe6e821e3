"""Compile functions: tracing, compiled calls, control flow."""
