"""What is compared: the tables and closed forms of the library in this package, other libraries, or one's own functions."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, Union

import numpy as np

from .. import _library
from .._arrays import Array
from ..errors import InvalidArgumentError
from ..functions import functions
from ..simulator import Simulator
from ._foreign import Foreign


class Side(Protocol):
    """One side of a comparison. It travels to the workers, so it can be pickled."""

    @property
    def identity(self) -> str:
        """What it is, down to its contents: rows of another identity are not of the same comparison."""

    def has(self, function: str) -> bool:
        """Whether it computes a function, given by the compiler's name."""

    def __call__(self, function: str, x: Array) -> Array:
        """The function of an array of float32, as a new one; NaN where it has no answer."""


@dataclass(frozen=True)
class Numerics:
    """The library in this package, by table or exactly.

    Args:
        source: as :class:`pwp_sim.Simulator` takes it. A directory must be there for the workers too.
        table: by the tables; otherwise the closed forms.
        alpha: the slope of Prelu.
    """

    source: str = "builtin:"
    table: bool = True
    alpha: float = 0.0

    @property
    def identity(self) -> str:
        what = f"table of {self.source}{_contents(self.source)}" if self.table else "exact"
        return f"{what}, alpha {self.alpha}, by pwp-sim {_digest(str(_library.PATH))}"

    def has(self, function: str) -> bool:
        return not self.table or _simulator(self.source).function(function).has_table

    def __call__(self, function: str, x: Array) -> Array:
        simulator = _simulator(self.source if self.table else "")
        result: Array = simulator(function, x, bias=-0.0, alpha=self.alpha, table=self.table, unhandled="nan")
        return result


@dataclass(frozen=True)
class Library:
    """Another shared library with the C interface, or with the original's class ``PWPSim::Simulator`` alone.

    It runs in the workers: where it aborts, the worker dies and another one takes its place; after some such deaths the range
    is given up as failed.

    Args:
        path: the file, which must be there for the workers too.
        source: a directory of profiles for it, or what else it takes.
        table: by its tables; otherwise its closed forms.
        alpha: the slope of Prelu.
    """

    path: Union[str, "os.PathLike[str]"]
    source: str = "builtin:"
    table: bool = True
    alpha: float = 0.0

    @property
    def identity(self) -> str:
        what = f"table of {self.source}{_contents(self.source)}" if self.table else "exact"
        return f"{what}, alpha {self.alpha}, by {os.fspath(self.path)} {_digest(os.path.abspath(self.path))}"

    def has(self, function: str) -> bool:
        if not self.table:
            return True
        found = {info.name: info for info in functions()}[function]
        return found.profile_name is not None and _foreign(os.path.abspath(self.path), self.source).has_table(function)

    def __call__(self, function: str, x: Array) -> Array:
        out = np.empty_like(x)
        _foreign(os.path.abspath(self.path), self.source).compute(function, out, x, self.alpha, self.table)
        return out


def side(name: str, *, source: str = "builtin:", table: bool = True, alpha: float = 0.0) -> Side:
    """The side of a word: ``"table"`` (of `source`), ``"exact"``, a shared library (by table or exactly, with the tables of
    `source`), or another source of tables.

    Raises:
        Error: it is none of these.
    """
    if name in ("table", "exact"):
        return Numerics(source, name == "table", alpha)
    path = Path(name)
    if path.is_file() and path.suffix != ".json":
        found: Side = Library(str(path.resolve()), source, table, alpha)
        _foreign(str(path.resolve()), source)
        return found
    Simulator(name)
    return Numerics(name, True, alpha)


@lru_cache(maxsize=None)
def _simulator(source: str) -> Simulator:
    return Simulator(source)


@lru_cache(maxsize=None)
def _foreign(path: str, source: str) -> Foreign:
    return Foreign(path, source)


@lru_cache(maxsize=None)
def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InvalidArgumentError(f"cannot read {path}: {error.strerror}") from None


@lru_cache(maxsize=None)
def _contents(source: str) -> str:
    """What tells the files of a directory from others; nothing for the tables within a library."""
    directory = Path(source.partition("#")[0])
    if not source or source.startswith("builtin:") or not directory.is_dir():
        return ""
    digest: Any = hashlib.sha256()
    for file in sorted(directory.iterdir()):
        if file.is_file():
            digest.update(f"{file.name}\0{_digest(str(file))}\0".encode(errors="surrogateescape"))
    return f" {digest.hexdigest()[:16]}"
