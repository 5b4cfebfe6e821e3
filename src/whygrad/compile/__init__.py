"""Compiling functions: tracing Python, compiled calls, control flow."""
