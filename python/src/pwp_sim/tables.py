"""What is in a function's table: the fold, the special results, the clamps, and the section of an input."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Optional

from ._library import lib


class Place(enum.Enum):
    """Where an input lands in a table."""

    POS_HIGH = lib.PWP_SIM_PLACE_POS_HIGH
    """At or beyond the high threshold of the positive side."""
    POS_LOW = lib.PWP_SIM_PLACE_POS_LOW
    """At or below the low threshold of the positive side."""
    NEG_HIGH = lib.PWP_SIM_PLACE_NEG_HIGH
    """At or beyond the high threshold, in magnitude, of the negative side."""
    NEG_LOW = lib.PWP_SIM_PLACE_NEG_LOW
    """At or below the low threshold, in magnitude, of the negative side."""
    OCTAVE = lib.PWP_SIM_PLACE_OCTAVE
    """In a section of an octave."""
    SPECIAL = lib.PWP_SIM_PLACE_SPECIAL
    """A zero or an infinity: no section, a result of its own, given as ``d0``."""


@dataclass(frozen=True)
class Section:
    """One section: the cubic ``d0 + d1*t + d2*t**2 + d3*t**3`` with ``t = v - x``, and where it stands."""

    x: float
    """The centre, a float32."""
    d0: float
    d1: float
    d2: float
    d3: float
    place: Place
    negative: Optional[bool]
    """Whether the octave is one of the negative side; None outside the octaves, as all that follows."""
    exponent: Optional[int]
    """The octave's unbiased exponent."""
    index: Optional[int]
    """The section's index in its octave."""
    number: Optional[int]
    """The section's number in the table, negative octaves first."""

    @classmethod
    def _of(cls, section: Any) -> Section:
        place = Place(section.place)
        octave = place is Place.OCTAVE
        return cls(
            section.x,
            section.d0,
            section.d1,
            section.d2,
            section.d3,
            place,
            section.negative if octave else None,
            section.exponent if octave else None,
            section.index if octave else None,
            section.number if octave else None,
        )


@dataclass(frozen=True)
class Clamp:
    """A saturation point: a threshold, as the biased exponent and the mantissa of a float, and its section."""

    sat_point: int
    mantissa_point: int
    x: float
    d0: float
    d1: float
    d2: float
    d3: float

    @classmethod
    def _of(cls, clamp: Any) -> Clamp:
        return cls(clamp.sat_point, clamp.mantissa_point, clamp.x, clamp.d0, clamp.d1, clamp.d2, clamp.d3)


@dataclass(frozen=True)
class Octaves:
    """The octaves of one sign: how many, and the unbiased exponents of the first and the last (0 where there is none)."""

    count: int
    first: int
    last: int

    @classmethod
    def _of(cls, octaves: Any) -> Octaves:
        return cls(octaves.count, octaves.first, octaves.last)


@dataclass(frozen=True)
class TableInfo:
    """What a function's table is made of."""

    symmetry_en: bool
    """Inputs are folded to one sign: those of the other are reflected."""
    symmetry_invert_sign_opt: bool
    """The result of a reflected input is negated."""
    symmetry_opt_use_neg_region: bool
    """The fold goes to the negative side, so the positive inputs are the reflected ones."""
    symmetry_point: float
    """Then added to the result of a reflected input."""
    zero_result: float
    """The result for either zero."""
    nan_result: float
    """Loaded and shown; never returned."""
    pinf_result: float
    ninf_result: float
    pos_high: Clamp
    pos_low: Clamp
    neg_high: Clamp
    neg_low: Clamp
    num_sections: int
    """Sections in all octaves, without the four clamps."""
    pos: Octaves
    neg: Octaves

    @classmethod
    def _of(cls, info: Any) -> TableInfo:
        return cls(
            info.symmetry_en,
            info.symmetry_invert_sign_opt,
            info.symmetry_opt_use_neg_region,
            info.symmetry_point,
            info.zero_result,
            info.nan_result,
            info.pinf_result,
            info.ninf_result,
            Clamp._of(info.pos_high),
            Clamp._of(info.pos_low),
            Clamp._of(info.neg_high),
            Clamp._of(info.neg_low),
            info.num_sections,
            Octaves._of(info.pos),
            Octaves._of(info.neg),
        )
