"""Attributes that the array-API standard requires of a namespace in addition to its functions."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["__array_api_version__", "__array_namespace_info__"]

API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")
__array_api_version__ = API_VERSIONS[-1]

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_GROUPS = {
    "integral": ("signed integer", "unsigned integer"),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}


class __array_namespace_info__:
    """The capabilities of the namespace, in the form of the standard."""

    def capabilities(self) -> dict[str, Any]:
        """Shapes may depend on values, and boolean masks are allowed."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The only device."""
        return "cpu"

    def devices(self) -> list[str]:
        """The only device."""
        return ["cpu"]

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The default dtypes of creation functions."""
        return {
            "real floating": np.dtype(np.float64),
            "complex floating": np.dtype(np.complex128),
            "integral": np.dtype(np.int64),
            "indexing": np.dtype(np.int64),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The dtypes of a kind, or of several, by name."""
        asked = tuple(_KINDS) if kind is None else kind if isinstance(kind, tuple) else (kind,)
        kinds = [each for name in asked for each in _GROUPS.get(name, (name,))]
        return {name: np.dtype(name) for each in kinds for name in _KINDS[each]}
