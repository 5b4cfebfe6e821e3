"""Tests for a machine with a GPU: `WHYGRAD_GPU=1 pytest tests/gpu`. Elsewhere there is nothing to collect."""

import os

collect_ignore_glob = [] if os.environ.get("WHYGRAD_GPU") == "1" else ["test_*.py"]
