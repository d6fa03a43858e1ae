"""One range of inputs, computed by both sides and compared bit by bit."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass, fields
from typing import Any, Optional

import numpy as np

from .._arrays import Array
from ..errors import Error
from .sides import Side

#: How many inputs are in memory at a time.
_CHUNK = 1 << 20
_NONE = -1


@dataclass(frozen=True, order=True)
class Range:
    """`count` inputs of a function, from the float on whose bits are `start`."""

    function: str
    start: int
    count: int

    @property
    def end(self) -> int:
        """The first bits after it."""
        return self.start + self.count


@dataclass(frozen=True)
class Row:
    """What the comparison of a range found; a row of the results. Floats are given by their bits, -1 where there is none."""

    a: str
    """The identities of the sides."""
    b: str
    function: str
    start: int
    count: int
    equal: int
    """Results of equal bits, or both NaN."""
    differ: int
    """All others."""
    nan_apart: int
    """Of those, the results of which one is NaN and the other a number."""
    first: int
    """The first input whose results differ."""
    worst_ulp: int
    """How many floats two results that are numbers are apart at most; the two zeros are 0 apart."""
    worst: int
    """The first input at which they are."""
    seconds: float
    worker: str
    """The machine and the process that computed it."""

    @property
    def range(self) -> Range:
        """What was compared."""
        return Range(self.function, self.start, self.count)


FIELDS = tuple(field.name for field in fields(Row))


@dataclass
class Total:
    """What the rows of a function say together; the fields are those of :class:`Row`."""

    inputs: int = 0
    equal: int = 0
    differ: int = 0
    nan_apart: int = 0
    first: Optional[int] = None
    worst_ulp: int = 0
    worst: Optional[int] = None

    def add(self, row: Row) -> None:
        """Takes in one more row, in any order."""
        self.inputs += row.count
        self.equal += row.equal
        self.differ += row.differ
        self.nan_apart += row.nan_apart
        if row.first != _NONE:
            self.first = row.first if self.first is None else min(self.first, row.first)
        if row.worst != _NONE:
            later = self.worst is None or (row.worst_ulp, -row.worst) > (self.worst_ulp, -self.worst)
            if later:
                self.worst_ulp, self.worst = row.worst_ulp, row.worst


def compare(a: Side, b: Side, identities: tuple[str, str], part: Range) -> Row:
    """The task of a worker.

    Raises:
        Error: a side is not here what it is where the run was started.
    """
    for which, side, identity in zip("ab", (a, b), identities):
        if side.identity != identity:
            raise Error(f"side {which} is {identity} where the run was started, and {side.identity} on {_worker()}")
    began = time.perf_counter()
    differ = nan_apart = 0
    first = worst = _NONE
    worst_ulp = 0
    for start in range(part.start, part.end, _CHUNK):
        bits = np.arange(start, min(start + _CHUNK, part.end), dtype=np.uint64).astype(np.uint32)
        one, other = (_bits(side, part.function, bits) for side in (a, b))
        at = np.flatnonzero(one != other)
        if not at.size:
            continue
        one, other = one[at], other[at]
        nan = _is_nan(one), _is_nan(other)
        apart = ~(nan[0] & nan[1])
        differ += int(np.count_nonzero(apart))
        nan_apart += int(np.count_nonzero(nan[0] ^ nan[1]))
        if first == _NONE and apart.any():
            first = int(bits[at[np.argmax(apart)]])
        numbers = np.flatnonzero(~(nan[0] | nan[1]))
        if numbers.size:
            ulp = np.abs(_ordered(one[numbers]) - _ordered(other[numbers]))
            most = int(np.argmax(ulp))
            if worst == _NONE or ulp[most] > worst_ulp:
                worst_ulp, worst = int(ulp[most]), int(bits[at[numbers[most]]])
    seconds = time.perf_counter() - began
    return Row(
        *identities,
        part.function,
        part.start,
        part.count,
        part.count - differ,
        differ,
        nan_apart,
        first,
        worst_ulp,
        worst,
        round(seconds, 6),
        _worker(),
    )


def _worker() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _bits(side: Side, function: str, bits: Array) -> Array:
    result = np.ascontiguousarray(side(function, bits.view(np.float32)))
    if result.dtype != np.float32 or result.shape != bits.shape:
        raise TypeError(f"{side!r} gave {result.dtype} of the shape {result.shape} for float32 of the shape {bits.shape}")
    return result.view(np.uint32)


def _is_nan(bits: Array) -> Any:
    return (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)


def _ordered(bits: Array) -> Any:
    """Integers in the order of the floats, neighbours one apart, the two zeros alike."""
    magnitude = (bits & np.uint32(0x7FFFFFFF)).astype(np.int64)
    return np.where(bits >> 31 != 0, -magnitude, magnitude)
