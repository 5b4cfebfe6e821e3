"""The open `name_scope`s of the running thread: a prefix for the names of variables."""

from __future__ import annotations

import threading


class OpenScopes(threading.local):
    """`prefix` is "" or the names of the open scopes, each followed by a slash."""

    prefix: str = ""


scopes = OpenScopes()
