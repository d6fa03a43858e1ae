"""Another library's calls: the C interface where it has that, else the original's C++ class, whose symbols and layouts
`docs/abi.md` lists.
"""

from __future__ import annotations

import itertools
import os
from typing import Any, Optional

from cffi import FFI

from .. import _library, errors
from .._arrays import Array
from .._library import lib as ours

_STRING = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
_CONSTRUCTORS = [f"_ZN6PWPSim9SimulatorC{kind}ERK{_STRING}" for kind in "12"]
# The published spelling first: a name by reference or by value, `in` const or not, the types of the count.
_SIMULATE = [
    f"_ZN{const}6PWPSim9Simulator8simulateE{by}{_STRING}Pf{pointer}fff{count}b"
    for const, by, pointer, count in itertools.product(("", "K"), ("RK", ""), ("PKf", "S9_", "S7_"), "ijlm")
]
# sizeof(PWPSim::Simulator), and the most that a call takes at a time: its count is an int.
_OBJECT, _MOST = 96, 1 << 30

_C = """
typedef struct pwp_sim pwp_sim;
int pwp_sim_create(const char *profile_dir, pwp_sim **out);
int pwp_sim_simulate(const pwp_sim *, const char *name, float *out, const float *in, float addend, float multiplier,
                     float alpha, size_t count, bool use_pwp);
const char *pwp_sim_last_error(void);
"""


class Foreign:
    """A library, with a simulator of one source of tables, which lives as long as the process.

    Raises:
        InvalidArgumentError: it cannot be loaded, or has neither interface.
        Error: the source is not to its liking.
    """

    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._ffi = FFI()
        constructors = "".join(f"void {name}(void *self, const void *path);\n" for name in _CONSTRUCTORS)
        simulate = "".join(
            f"void {name}(void *self, const void *name, float *out, const float *in, float addend, float multiplier, "
            "float alpha, ptrdiff_t count, bool use_pwp);\n"
            for name in _SIMULATE
        )
        self._ffi.cdef(_C + constructors + simulate)
        try:
            # Bound to itself: another copy of the library in this process stays out of its way.
            self._lib = self._ffi.dlopen(path, os.RTLD_NOW | os.RTLD_LOCAL | getattr(os, "RTLD_DEEPBIND", 0))
        except OSError as error:
            raise errors.InvalidArgumentError(f"cannot load {path}: {error}") from None
        self._simulate: Optional[Any] = None
        if self._first(["pwp_sim_create"]) and self._first(["pwp_sim_simulate"]):
            out = self._ffi.new("pwp_sim **")
            self._check(self._lib.pwp_sim_create(os.fsencode(source), out))
            self._simulator = out[0]
            return
        construct, self._simulate = self._first(_CONSTRUCTORS), self._first(_SIMULATE)
        if construct is None or self._simulate is None:
            raise errors.InvalidArgumentError(f"{path} exports neither pwp_sim_simulate nor PWPSim::Simulator")
        self._simulator = self._ffi.new("char[]", _OBJECT)
        string = self._string(os.fsencode(source))
        construct(self._simulator, string[0])

    def _first(self, names: list[str]) -> Optional[Any]:
        return next((call for call in (getattr(self._lib, name, None) for name in names) if call is not None), None)

    def _string(self, value: bytes) -> tuple[Any, Any]:
        """A std::string: where its characters are, how many, and room for 16 of them or the number that there is room for.
        Beside it what must live as long."""
        text = self._ffi.new("char[]", value)
        string = self._ffi.new("size_t[4]")
        if len(value) < 16:
            place = string + 2
            self._ffi.memmove(place, text, len(value) + 1)
        else:
            place, string[2] = text, len(value)
        string[0], string[1] = int(self._ffi.cast("size_t", place)), len(value)
        return string, text

    def has_table(self, function: str) -> bool:
        """Whether the simulator has the function's table; of a class alone that is not known before a call."""
        if self._simulate is not None:
            return True
        null = self._ffi.NULL
        status = self._lib.pwp_sim_simulate(self._simulator, function.encode(), null, null, 0, 1, 0, 0, True)
        return int(status) == 0

    def compute(self, function: str, out: Array, x: Array, alpha: float, table: bool) -> None:
        """Writes the function of `x`, an array of float32 without gaps, to `out`; NaN where no section covers the input."""
        name = function.encode()
        for start in range(0, x.size, _MOST):
            size = min(_MOST, x.size - start)
            to, of = (self._ffi.cast("float *", array.ctypes.data + 4 * start) for array in (out, x))
            if self._simulate is not None:
                string = self._string(name)
                self._simulate(self._simulator, string[0], to, of, -0.0, 1.0, alpha, size, table)
            else:
                status = self._lib.pwp_sim_simulate(self._simulator, name, to, of, -0.0, 1.0, alpha, size, table)
                if status != ours.PWP_SIM_UNHANDLED_SECTION:
                    self._check(status)

    def _check(self, status: int) -> None:
        if status:
            message = os.fsdecode(self._ffi.string(self._lib.pwp_sim_last_error()))
            raise _library.exception(status)(f"{self._path}: {message}")
