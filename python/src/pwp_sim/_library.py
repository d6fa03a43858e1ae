"""The shared library beside this file, and its statuses as exceptions."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Union

from . import errors
from ._ffi import ffi as ffi

_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_NAME = "pwp_sim.dll" if sys.platform == "win32" else f"libpwp_sim{_SUFFIX}"

#: The library that comes with this package.
PATH = Path(__file__).with_name(_NAME)

lib: Any = ffi.dlopen(str(PATH))

_ERRORS: dict[int, type[errors.Error]] = {
    lib.PWP_SIM_INVALID_ARGUMENT: errors.InvalidArgumentError,
    lib.PWP_SIM_UNSUPPORTED_FUNCTION: errors.UnsupportedFunctionError,
    lib.PWP_SIM_PROFILE_IO: errors.ProfileIOError,
    lib.PWP_SIM_PROFILE_FORMAT: errors.ProfileFormatError,
    lib.PWP_SIM_NO_PROFILE: errors.NoProfileError,
    lib.PWP_SIM_UNHANDLED_SECTION: errors.UnhandledSectionError,
    lib.PWP_SIM_INTERNAL: errors.InternalError,
    lib.PWP_SIM_NO_MEMORY: errors.OutOfMemoryError,
}

# "...: 3 input(s), the first at index 2": of calls with buffers.
_UNHANDLED = re.compile(r": (\d+) input\(s\), the first at index (\d+)$")

Text = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def check(status: int) -> None:
    """Raises the exception of a status other than success, with the message that this thread's call left."""
    if status:
        raise error(status)


def error(status: int) -> errors.Error:
    """The exception of a status. The message is the calling thread's last one."""
    message = text(lib.pwp_sim_last_error())
    kind = exception(status)
    if kind is errors.UnhandledSectionError:
        found = _UNHANDLED.search(message)
        if found:
            return errors.UnhandledSectionError(message, int(found[1]), int(found[2]))
    return kind(message)


def exception(status: int) -> type[errors.Error]:
    """The class of a status."""
    return _ERRORS.get(status, errors.InternalError)


def text(string: Any) -> str:
    """A string of the library's. Paths in messages need not be UTF-8."""
    return os.fsdecode(ffi.string(string))


def optional_text(string: Any) -> Union[str, None]:
    """A string of the library's that may be null."""
    return None if string == ffi.NULL else text(string)


def c_string(value: Text) -> bytes:
    """A string for the library."""
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise errors.InvalidArgumentError(f"a NUL in {value!r}")
    return encoded
