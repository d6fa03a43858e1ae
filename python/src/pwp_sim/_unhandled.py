"""Which inputs no section of a table covers.

The place of an input in a table follows from its sign, its exponent and its mantissa (`docs/behaviour.md`, section 4). As
the mantissa grows within one sign and exponent, the low clamp comes first, then the octave's sections, then what none
covers, then the high clamp. So the unhandled inputs of a sign and exponent are one range of mantissas, and two searches in
halves find its ends by the library's own look-up.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _library
from ._arrays import Array
from ._library import ffi, lib

_MANTISSAS = 1 << 23


class UnhandledInputs:
    """The unhandled inputs of one table. The ranges are found as inputs ask for them, and kept."""

    def __init__(self, handle: Any, function: int) -> None:
        self._handle, self._function = handle, function
        # By sign and exponent, the upper nine bits of a float: the first unhandled mantissa, and the first after it.
        self._ranges: dict[int, tuple[int, int]] = {}

    def mask(self, v: Array) -> Array:
        """True for each element of `v`, an array of float32, that no section covers."""
        bits = np.ascontiguousarray(v).view(np.uint32)
        upper, mantissa = bits >> 23, bits & (_MANTISSAS - 1)
        first = np.zeros(512, np.uint32)
        end = np.zeros(512, np.uint32)
        for key in np.unique(upper):
            first[key], end[key] = self._range(int(key))
        mask: Array = (first[upper] <= mantissa) & (mantissa < end[upper])
        return mask

    def _range(self, key: int) -> tuple[int, int]:
        if key not in self._ranges:
            # A mantissa of zero is a zero or an infinity, which no section serves; and arithmetic makes quiet NaNs alone.
            special = {0: 1, 255: _MANTISSAS // 2}.get(key & 255, 0)
            first = _first(special, lambda mantissa: self._order(key, mantissa) >= 1)
            self._ranges[key] = first, _first(first, lambda mantissa: self._order(key, mantissa) >= 2)
        return self._ranges[key]

    def _order(self, key: int, mantissa: int) -> int:
        """0 where a section or the low clamp serves the input, 1 where none does, 2 where the high clamp does."""
        v = np.uint32(key << 23 | mantissa).view(np.float32)
        section = ffi.new("pwp_sim_section *")
        status = lib.pwp_sim_table_section(self._handle, self._function, float(v), section)
        if status == lib.PWP_SIM_UNHANDLED_SECTION:
            return 1
        _library.check(status)
        return 2 if section.place in (lib.PWP_SIM_PLACE_POS_HIGH, lib.PWP_SIM_PLACE_NEG_HIGH) else 0


def _first(low: int, holds: Callable[[int], bool]) -> int:
    """The least mantissa from `low` on for which `holds`, which stays true once it is; past the last where none is."""
    high = _MANTISSAS
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
