"""The command line, and the stand-in `tensorflow` module under which a script runs unmodified."""
