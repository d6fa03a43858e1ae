"""Catalogs: the sets of functions that the hardware can load, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Union, overload

from . import _library
from ._library import Text, ffi, lib


@dataclass(frozen=True)
class FunctionSet:
    """One set of a catalog."""

    index: int
    """Its place in the catalog, which is its number on the hardware."""
    name: str
    budgets: dict[str, int]
    """The profile functions that it holds, each with its budget: 1 for a hardwired function, above that the N of the
    profile ``<function>_<N>p``."""

    def __contains__(self, function: object) -> bool:
        return function in self.budgets


@dataclass(frozen=True)
class Load:
    """A set that is loaded, and the place in the list of functions of the first one that runs on it."""

    set: FunctionSet
    first: int


class Catalog(Sequence[FunctionSet]):
    """The function sets of a roster or of a directory with an ``act_info.json``, in the order of their numbers.

    Args:
        source: a directory, or ``"trainium"`` or ``"with_ln"`` for one of the two published rosters.

    Raises:
        ProfileIOError: there is no such roster or file.
        ProfileFormatError: the file is no valid catalog.

    The tables of a set are those of ``Simulator("<directory>#<set>")`` or ``Simulator("builtin:trainium#<set>")``.
    """

    def __init__(self, source: Text) -> None:
        out = ffi.new("pwp_sim_catalog **")
        _library.check(lib.pwp_sim_catalog_open(_library.c_string(source), out))
        self._handle = ffi.gc(out[0], lib.pwp_sim_catalog_close)
        self._source = source
        self._sets = tuple(self._set(index) for index in range(lib.pwp_sim_catalog_count(self._handle)))

    def _set(self, index: int) -> FunctionSet:
        name, count, budget = ffi.new("const char **"), ffi.new("size_t *"), ffi.new("uint32_t *")
        budgets: dict[str, int] = {}
        _library.check(lib.pwp_sim_catalog_act_count(self._handle, index, count))
        for act in range(count[0]):
            _library.check(lib.pwp_sim_catalog_act(self._handle, index, act, name, budget))
            budgets[_library.text(name[0])] = budget[0]
        _library.check(lib.pwp_sim_catalog_set_name(self._handle, index, name))
        return FunctionSet(index, _library.text(name[0]), budgets)

    def __len__(self) -> int:
        return len(self._sets)

    @overload
    def __getitem__(self, key: Union[int, str]) -> FunctionSet: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[FunctionSet]: ...
    def __getitem__(self, key: Union[int, str, slice]) -> Union[FunctionSet, Sequence[FunctionSet]]:
        """The set of an index or a name.

        Raises:
            IndexError, KeyError: there is no such set.
        """
        if isinstance(key, str):
            for found in self._sets:
                if found.name == key:
                    return found
            raise KeyError(key)
        return self._sets[key]

    def __iter__(self) -> Iterator[FunctionSet]:
        return iter(self._sets)

    def sets_of(self, function: str) -> tuple[FunctionSet, ...]:
        """The sets that hold a function, given by any of its names, in ascending order of index; empty where none does.

        Raises:
            UnsupportedFunctionError: the name is no function's.
        """
        count, name = ffi.new("size_t *"), _library.c_string(function)
        _library.check(lib.pwp_sim_catalog_sets_of(self._handle, name, ffi.NULL, 0, count))
        sets = ffi.new("size_t[]", count[0])
        _library.check(lib.pwp_sim_catalog_sets_of(self._handle, name, sets, count[0], count))
        return tuple(self._sets[index] for index in sets)

    def sequence(self, functions: Iterable[str]) -> tuple[Load, ...]:
        """The loads that a list of functions takes, in order: greedy first fit.

        Raises:
            UnsupportedFunctionError: a name is no function's.
            NoProfileError: no set holds a function; the error names it.
        """
        strings = [ffi.new("char[]", _library.c_string(name)) for name in functions]
        names = ffi.new("const char *[]", strings)
        n = len(strings)
        sets, first, count = ffi.new("size_t[]", n), ffi.new("size_t[]", n), ffi.new("size_t *")
        _library.check(lib.pwp_sim_catalog_sequence(self._handle, names, n, sets, first, n, count))
        return tuple(Load(self._sets[sets[i]], first[i]) for i in range(count[0]))

    def __repr__(self) -> str:
        return f"Catalog({self._source!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Catalog, (self._source,)
