"""`tf.io.gfile`: files and folders of this machine, with TensorFlow's errors."""

from __future__ import annotations

import contextlib
import glob as globbing
import os
import shutil
from collections.abc import Iterator
from typing import Any

from whygrad._public import export
from whygrad.io.file_errors import file_errors, path_of, paths_of
from whygrad.io.open_files import OpenFile
from whygrad.values.errors import AlreadyExistsError, FailedPreconditionError, NotFoundError, OpTypeError


@export("io.gfile.exists")
def exists(path: Any) -> bool:
    """Whether there is such a file or folder.

    >>> import whygrad as tf
    >>> tf.io.gfile.exists(".")
    True
    """
    return os.path.exists(path_of(path))


@export("io.gfile.isdir")
def isdir(path: Any) -> bool:
    """Whether this is a folder.

    >>> import whygrad as tf
    >>> tf.io.gfile.isdir(".")
    True
    """
    return os.path.isdir(path_of(path))


@export("io.gfile.glob")
def glob(pattern: Any) -> list[str]:
    """The names of files that match a pattern, or one of several.

    >>> import whygrad as tf
    >>> tf.io.gfile.glob("no-such-file-*")
    []
    """
    return sorted(path for each in paths_of(pattern) for path in globbing.glob(each))


@export("io.gfile.listdir")
def listdir(path: Any) -> list[str]:
    """The names in a folder.

    >>> import tempfile, whygrad as tf
    >>> tf.io.gfile.listdir(tempfile.mkdtemp())
    []
    """
    folder = path_of(path)
    if not os.path.isdir(folder):
        raise NotFoundError(None, None, f"Could not find directory {folder}")
    return os.listdir(folder)


@export("io.gfile.makedirs")
def makedirs(path: Any) -> None:
    """Make a folder and those on the way to it; it may exist.

    >>> import os, tempfile, whygrad as tf
    >>> tf.io.gfile.makedirs(os.path.join(tempfile.mkdtemp(), "a", "b"))
    """
    folder = path_of(path)
    with file_errors(folder):
        os.makedirs(folder, exist_ok=True)


@export("io.gfile.mkdir")
def mkdir(path: Any) -> None:
    """Make a folder, in one that exists. One that is there already is no error.

    >>> import os, tempfile, whygrad as tf
    >>> tf.io.gfile.mkdir(os.path.join(tempfile.mkdtemp(), "a"))
    """
    folder = path_of(path)
    with file_errors(folder), contextlib.suppress(FileExistsError):
        os.mkdir(folder)


@export("io.gfile.remove")
def remove(path: Any) -> None:
    """Delete a file.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a")
    >>> tf.io.write_file(path, "")
    >>> tf.io.gfile.remove(path)
    """
    name = path_of(path)
    with file_errors(name):
        os.remove(name)


@export("io.gfile.rmtree")
def rmtree(path: Any) -> None:
    """Delete a folder with all that is in it.

    >>> import tempfile, whygrad as tf
    >>> tf.io.gfile.rmtree(tempfile.mkdtemp())
    """
    folder = path_of(path)
    with file_errors(folder):
        shutil.rmtree(folder)


@export("io.gfile.rename")
def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    >>> import os, tempfile, whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.write_file(os.path.join(folder, "a"), "")
    >>> tf.io.gfile.rename(os.path.join(folder, "a"), os.path.join(folder, "b"))
    >>> os.listdir(folder)
    ['b']
    """
    old, new = path_of(src), path_of(dst)
    _refuse_existing(new, overwrite)
    with file_errors(old):
        os.replace(old, new)


@export("io.gfile.copy")
def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    >>> import os, tempfile, whygrad as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.write_file(os.path.join(folder, "a"), "")
    >>> tf.io.gfile.copy(os.path.join(folder, "a"), os.path.join(folder, "b"))
    >>> sorted(os.listdir(folder))
    ['a', 'b']
    """
    old, new = path_of(src), path_of(dst)
    _refuse_existing(new, overwrite)
    with file_errors(old):
        shutil.copyfile(old, new)


def _refuse_existing(path: str, overwrite: bool) -> None:
    if not overwrite and os.path.exists(path):
        raise AlreadyExistsError(None, None, f"file already exists: {path}")


@export("io.gfile.join")
def join(path: Any, *paths: Any) -> str:
    """Put the parts of a path together.

    >>> import whygrad as tf
    >>> tf.io.gfile.join("folder", "file")
    'folder/file'
    """
    return os.path.join(path_of(path), *[path_of(each) for each in paths])


@export("io.gfile.walk")
def walk(top: Any, topdown: bool = True, onerror: Any = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder under `top`, with the names of its folders and files.

    >>> import tempfile, whygrad as tf
    >>> [(folders, files) for _, folders, files in tf.io.gfile.walk(tempfile.mkdtemp())]
    [([], [])]
    """
    return os.walk(path_of(top), topdown, onerror)


class FileStatistics:
    """Size, time of the last change in nanoseconds, and whether it is a folder."""

    def __init__(self, found: os.stat_result, is_directory: bool) -> None:
        self.length = found.st_size
        self.mtime_nsec = found.st_mtime_ns
        self.is_directory = is_directory


@export("io.gfile.stat")
def stat(path: Any) -> FileStatistics:
    """Size, time of the last change and kind of a file.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a")
    >>> tf.io.write_file(path, "abc")
    >>> tf.io.gfile.stat(path).length
    3
    """
    name = path_of(path)
    with file_errors(name):
        return FileStatistics(os.stat(name), os.path.isdir(name))


_MODES = ("r", "w", "a", "r+", "w+", "a+", "rb", "wb", "ab", "r+b", "w+b", "a+b", "rb+", "wb+", "ab+")


@export("io.gfile.GFile")
class GFile(OpenFile):
    """A file, opened when it is first used.

    >>> import os, tempfile, whygrad as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a")
    >>> with tf.io.gfile.GFile(path, "w") as file:
    ...     file.write("one\\ntwo\\n")
    >>> [line for line in tf.io.gfile.GFile(path)]
    ['one\\n', 'two\\n']
    """

    def __init__(self, name: Any, mode: str = "r", encoding: str = "utf-8") -> None:
        self._name = path_of(name)
        if mode not in _MODES:
            raise FailedPreconditionError(None, None, f"Mode {mode!r} is not one of {', '.join(_MODES)}")
        self._mode = mode
        self._encoding = None if "b" in mode else encoding
        self._file: Any = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self._name

    @property
    def mode(self) -> str:
        """How it is opened."""
        return self._mode

    def _opened(self) -> Any:
        if self._file is None:
            with file_errors(self._name):
                self._file = open(self._name, self._mode, encoding=self._encoding)  # noqa: SIM115
        return self._file

    def read(self, n: int = -1) -> Any:
        """What is left of the file, or at most `n` characters or bytes."""
        with file_errors(self._name):
            return self._opened().read(n)

    def readline(self) -> Any:
        """The next line, empty at the end."""
        return self._opened().readline()

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return list(self._opened())

    def write(self, file_content: Any) -> None:
        """Write text or bytes, as the mode says."""
        if isinstance(file_content, bytes) and self._encoding is not None:
            file_content = file_content.decode(self._encoding)
        elif isinstance(file_content, str) and self._encoding is None:
            file_content = file_content.encode()
        elif not isinstance(file_content, str | bytes):
            raise OpTypeError(f"write takes text or bytes, not {type(file_content).__name__}")
        with file_errors(self._name):
            self._opened().write(file_content)

    def size(self) -> int:
        """The number of bytes of the file."""
        return stat(self._name).length

    def seek(self, offset: int | None = None, whence: int = 0) -> None:
        """Go to a position."""
        self._opened().seek(offset or 0, whence)

    def tell(self) -> int:
        """The position."""
        return int(self._opened().tell())

    def seekable(self) -> bool:
        """True."""
        return True

    def flush(self) -> None:
        """Write what waits."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[Any]:
        yield from self._opened()
        self.close()
