"""Files that a `with` block closes, or else their last reference."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self


class OpenFile:
    """An object with an open file in `_file`, None while there is none, and a method `close`."""

    _file: Any = None

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if self._file is not None:
            self.close()
