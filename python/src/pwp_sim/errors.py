"""The exceptions: one for each status of the C interface, all under :class:`Error`."""

from __future__ import annotations

from typing import Any, Optional


class Error(Exception):
    """Whatever the library refuses or cannot do."""


class InvalidArgumentError(Error, ValueError):
    """An argument that no call takes: a name with a NUL in it, a set or tier that does not exist."""


class UnsupportedFunctionError(Error, AttributeError, LookupError):
    """A name that is no function's. ``suggestions`` has the names near it.

    It is an :class:`AttributeError` too, since functions are attributes of a simulator.
    """

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class ProfileIOError(Error, OSError):
    """A directory, profile or catalog that does not exist or cannot be read."""


class ProfileFormatError(Error, ValueError):
    """A file that is no valid profile, catalog or table image."""


class NoProfileError(Error, LookupError):
    """The table of a function was asked for, and the simulator's source has none."""


class UnhandledSectionError(Error, ArithmeticError):
    """No section of the table covers some inputs.

    All other elements were computed: ``result`` is the array, with NaN for the unhandled inputs (it is ``out`` where that
    was given). ``count`` says how many there are, and ``first`` is the index of the first in memory order.
    ``unhandled="nan"`` and ``unhandled="mask"`` ask for the result without an error.
    """

    def __init__(self, message: str, count: Optional[int] = None, first: Optional[int] = None) -> None:
        super().__init__(message)
        self.count = count
        self.first = first
        self.result: Any = None


class InternalError(Error, RuntimeError):
    """A defect of the library. Please report it."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory for what is loaded."""
