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
            lock = _locked(folder)
            if lock is not None:  # else another process has just removed the folder
                with lock:
                    yield folder, os.fstat(lock.fileno()).st_mode & 0o777
                return
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _locked(folder: str) -> IO[bytes] | None:
    """The lock of a new folder, held until it is closed; None if the folder is gone."""
    try:
        lock = open(os.path.join(folder, "lock"), "xb")  # noqa: SIM115 (the caller closes it)
    except FileNotFoundError:
        return None
    _lock(lock, wait=True)
    if os.path.exists(lock.name):
        return lock
    lock.close()
    return None


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
    try:
        os.rmdir(entry.path)  # killed before it made the lock; a live writer makes another folder
        return
    except OSError:
        pass  # not empty
    path = os.path.join(entry.path, "lock")
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as lock:
        _lock(lock, wait=False)
        if sys.platform != "win32":
            shutil.rmtree(entry.path)
            return
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # on Windows an error if a process has it open
    # The lock is made first: without one, a process was killed while it removed the folder.
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
