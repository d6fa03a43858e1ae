"""The functions that the library knows: their names, their numbers, and the look-up by any name."""

from __future__ import annotations

import difflib
import enum
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterator, Optional, Union

from . import _library, errors
from ._library import ffi, lib


class FunctionClass(enum.Enum):
    """How the silicon computes a function."""

    CLOSED_FORM = lib.PWP_SIM_CLASS_CLOSED_FORM
    """It does not: the closed form is all there is."""
    HARDWIRED = lib.PWP_SIM_CLASS_HARDWIRED
    """Without sections: four saturation sections are the whole function."""
    TABLE = lib.PWP_SIM_CLASS_TABLE
    """By a table of octaves and sections."""


@dataclass(frozen=True)
class PublishedProfile:
    """The size of a published profile, ``<profile>_<budget>p``."""

    budget: int
    sections: int
    octaves: int


@dataclass(frozen=True)
class FunctionInfo:
    """The names and numbers of a function."""

    name: str
    """The compiler's name: ``"Ln"``."""
    value: int
    """The function's number in the C interface."""
    profile: Optional[str]
    """The profile function: ``"ln"``."""
    profile_name: Optional[str]
    """The profile that a directory is expected to hold: ``"ln_40p"``."""
    front_end: Optional[str]
    """The name in the kernel language: ``"log"``."""
    function_class: FunctionClass
    """How the silicon computes it."""
    bir: Optional[int]
    """The compiler's BIR ordinal."""
    neuron_id: Optional[int]
    """The silicon's code of the function, on trainium."""
    published_sections: Optional[int]
    """Sections of the published table; 0 for a hardwired function."""
    profiles: tuple[PublishedProfile, ...]
    """The published profiles, in ascending order of their budgets."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that find the function, without those of its profiles."""
        return tuple(dict.fromkeys(name for name in (self.name, self.profile, self.front_end) if name))


#: A function by any of its names, or by what :func:`functions` gives.
FunctionLike = Union[str, FunctionInfo]


@lru_cache(maxsize=None)
def functions() -> tuple[FunctionInfo, ...]:
    """Every function, in the order of their numbers."""
    return tuple(_all())


def function(name: FunctionLike) -> FunctionInfo:
    """The function of any of its names: the compiler's (``"Ln"``), the profile function (``"ln"``), that of the kernel
    language (``"log"``), a profile (``"ln_400p"``).

    Raises:
        UnsupportedFunctionError: no function has this name; the error suggests some that are near.
    """
    if isinstance(name, FunctionInfo):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a function is named by a string, not by {type(name).__name__}")
    value = ffi.new("pwp_sim_function *")
    status = lib.pwp_sim_function_from_any_name(_library.c_string(name), value)
    if status == lib.PWP_SIM_UNSUPPORTED_FUNCTION:
        raise _unknown(name)
    _library.check(status)
    return _by_value()[value[0]]


def _all() -> Iterator[FunctionInfo]:
    value = ffi.new("pwp_sim_function *")
    info = ffi.new("pwp_sim_function_info_t *")
    for index in range(lib.pwp_sim_function_count()):
        _library.check(lib.pwp_sim_function_at(index, value))
        _library.check(lib.pwp_sim_function_info(value[0], info))
        yield FunctionInfo(
            name=_library.text(info.name),
            value=int(value[0]),
            profile=_library.optional_text(info.profile),
            profile_name=_library.optional_text(info.profile_name),
            front_end=_library.optional_text(info.front_end),
            function_class=FunctionClass(info.function_class),
            bir=_published(info.bir),
            neuron_id=_published(info.neuron_id),
            published_sections=_published(info.published_sections),
            profiles=tuple(_profiles(value[0])),
        )


def _published(number: int) -> Optional[int]:
    return None if number < 0 else int(number)


def _profiles(value: int) -> Iterator[PublishedProfile]:
    count = ffi.new("size_t *")
    _library.check(lib.pwp_sim_function_profiles(value, ffi.NULL, 0, count))
    profiles = ffi.new("pwp_sim_profile_t[]", count[0])
    _library.check(lib.pwp_sim_function_profiles(value, profiles, count[0], count))
    for profile in profiles:
        yield PublishedProfile(profile.budget, profile.sections, profile.octaves)


@lru_cache(maxsize=None)
def _by_value() -> dict[int, FunctionInfo]:
    return {info.value: info for info in functions()}


def _unknown(name: str) -> errors.UnsupportedFunctionError:
    # Near in spelling, whatever the case; of two that differ in case alone the one that reads as Python's.
    spellings = {known.lower(): known for info in functions() for known in info.names}
    near = difflib.get_close_matches(name.lower(), spellings, n=3, cutoff=0.6)
    suggestions = tuple(spellings[known] for known in near)
    message = _library.text(lib.pwp_sim_last_error())
    if suggestions:
        message += f"; did you mean {' or '.join(map(repr, suggestions))}?"
    return errors.UnsupportedFunctionError(message, suggestions)
