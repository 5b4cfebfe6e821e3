"""Folders for files that are being written: a killed process leaves its folder behind, and a later one removes it.

A writer holds a lock on a file of its folder while it writes. The system releases the lock when the process is gone, however it
ended, so a folder whose lock can be taken is abandoned. Numbers of processes would not tell: they are used again, and mean
nothing to another container or machine.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from typing import IO

_PREFIX, _SUFFIX = ".saving-", ".part"
_MACHINE = platform.node().replace(os.sep, "-")[:60] or "unknown"
_DAY = 86_400.0


@contextlib.contextmanager
def workspace(directory: str) -> Iterator[tuple[str, int]]:
    """A new folder inside `directory`, removed at the end; and the permissions that a new file has there."""
    while True:
        folder = os.path.join(directory, f"{_PREFIX}{_MACHINE}-{os.urandom(6).hex()}{_SUFFIX}")
        os.mkdir(folder)
        try:
            with open(os.path.join(folder, "lock"), "xb") as lock:
                _lock(lock, wait=True)
                if not os.path.exists(lock.name):  # another process found it before it was locked
                    continue
                yield folder, os.fstat(lock.fileno()).st_mode & 0o777
                return
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(directory: str) -> None:
    """Remove the folders of writers that are gone, never that of a live one."""
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX):
                with contextlib.suppress(OSError):
                    _remove_if_abandoned(entry)


def _remove_if_abandoned(entry: os.DirEntry[str]) -> None:
    # Some shared file systems keep locks on each machine alone: a folder of another machine must also be old.
    is_ours = entry.name.startswith(f"{_PREFIX}{_MACHINE}-")
    if not is_ours and time.time() - _last_change(entry.path) < _DAY:
        return
    path = os.path.join(entry.path, "lock")
    try:
        with open(path, "rb") as lock:
            _lock(lock, wait=False)
            if sys.platform != "win32":  # where nothing that is open can be removed
                shutil.rmtree(entry.path)
                return
    except FileNotFoundError:
        if time.time() - entry.stat().st_mtime > 60:  # killed before it made the lock, or not there yet
            os.rmdir(entry.path)  # an error if the lock was made meanwhile
        return
    os.unlink(path)  # an error if a process has it open
    shutil.rmtree(entry.path)


def _last_change(folder: str) -> float:
    with os.scandir(folder) as entries:
        return max([os.stat(folder).st_mtime, *[each.stat().st_mtime for each in entries]])


if sys.platform == "win32":

    def _lock(file: IO[bytes], wait: bool) -> None:
        """Nothing to do: an open file cannot be removed."""

else:
    import fcntl

    def _lock(file: IO[bytes], wait: bool) -> None:
        """Lock a file until it is closed; an OSError if it is locked and we do not wait."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if not wait:
                raise  # locked, or a file system without locks: nothing may be removed
