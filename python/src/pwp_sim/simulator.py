"""The simulator, and its functions as calls on NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._apply import Call, apply, fill
from ._arrays import FLOAT32, Array, parameter, result_shape, taken
from ._library import Text, ffi, lib
from ._unhandled import UnhandledInputs
from .errors import UnsupportedFunctionError
from .functions import FunctionInfo, FunctionLike, function, functions
from .tables import Section, TableInfo

_UNHANDLED = ("raise", "nan", "mask")


class Activation:
    """A function of a simulator: ``sim.gelu``. Call it on arrays.

    Attributes:
        simulator: the simulator whose tables it takes.
        info: its names and numbers.
    """

    def __init__(self, simulator: Simulator, info: FunctionInfo) -> None:
        self.simulator = simulator
        self.info = info
        self.__name__ = info.name
        self._unhandled: Optional[UnhandledInputs] = None

    def __call__(
        self,
        x: ArrayLike,
        *,
        scale: ArrayLike = 1.0,
        bias: ArrayLike = 0.0,
        alpha: ArrayLike = 0.0,
        out: Optional[Array] = None,
        table: bool = True,
        threads: Optional[int] = None,
        unhandled: str = "raise",
        casting: str = "safe",
    ) -> Any:
        """Computes ``f(scale * x + bias)`` element by element; the product is rounded to float32 before the sum.

        Args:
            x: array of any shape, strides and order. float32, float16 and bfloat16 (of ml_dtypes) are computed in float32
                and come back as they are, rounded once, to nearest even. Other dtypes that `casting` admits come back as
                float32; so do plain Python numbers and lists.
            scale, bias: numbers or arrays, taken as float32. They broadcast with `x`, by NumPy's rules.
            alpha: the slope of Prelu for negative inputs, a number or an array that broadcasts; one call of the library for
                each element of such an array. No other function reads it.
            out: array for the result, of its shape or one that it broadcasts to, and of a dtype that the result casts to
                ("same_kind"): the result is rounded once, to that dtype. It may be `x`.
            table: by the table, where the simulator has tables; otherwise the exact closed form. Prelu has no table.
            threads: how many threads compute at a time, 0 for one a core; the simulator's number where it is None. The
                bits are the same.
            unhandled: what happens to inputs that no section of the table covers. ``"raise"``: an error, with the result in
                it. ``"nan"``: their results are NaN. ``"mask"``: the same, and the call gives ``(result, mask)``, the mask a
                bool array of the result's shape, true for these inputs.
            casting: ``"safe"``: float64 and wide integers are refused, since they would be rounded. ``"same_kind"``: float64
                is rounded to float32 once. ``"unsafe"``: integers as well.

        Returns:
            `out`, or a new array of the shape that `x`, `scale`, `bias` and `alpha` broadcast to; a NumPy scalar where that
            is ``()``. The GIL is free during the computation.

        Raises:
            NoProfileError: `table` is true, the simulator has tables, and the function has none.
            UnhandledSectionError: inputs are unhandled and `unhandled` is ``"raise"``.
            TypeError: a dtype that `casting` does not admit, or an `out` that the result does not cast to.
            ValueError: shapes that do not broadcast, or an `out` that cannot be written.
        """
        if unhandled not in _UNHANDLED:
            raise ValueError(f"unhandled is {unhandled!r}, none of {_UNHANDLED}")
        threads = self.simulator.threads if threads is None else _threads(threads)
        call = Call(self.simulator._open(), self.info, bool(table), threads)
        if unhandled == "mask":
            # The inputs are kept for the mask: `out` may stand where they are.
            v = self._inputs(x, scale, bias, alpha, out, casting)
        result, error = apply(call, x, scale, bias, alpha, out, casting)
        if unhandled == "mask":
            mask = self._inputs_unhandled().mask(v) if error is not None else np.zeros(v.shape, bool)
            return result, mask[()]
        if error is not None and unhandled == "raise":
            raise error
        return result

    def _inputs(
        self, x: ArrayLike, scale: ArrayLike, bias: ArrayLike, alpha: ArrayLike, out: Optional[Array], casting: str
    ) -> Array:
        source, factor, summand = taken(x, "x", casting), parameter(scale, "scale", casting), parameter(bias, "bias", casting)
        slope = parameter(alpha, "alpha", casting)
        v = np.empty(result_shape(out if isinstance(out, np.ndarray) else None, source, factor, summand, slope), FLOAT32)
        fill(v, source, factor, summand)
        return v

    def _inputs_unhandled(self) -> UnhandledInputs:
        if self._unhandled is None:
            self._unhandled = UnhandledInputs(self.simulator._open(), self.info.value)
        return self._unhandled

    @property
    def has_table(self) -> bool:
        """Whether the simulator has a table for this function."""
        info = ffi.new("pwp_sim_table_info_t *")
        status = lib.pwp_sim_table_info(self.simulator._open(), self.info.value, info)
        if status == lib.PWP_SIM_NO_PROFILE:
            return False
        _library.check(status)
        return True

    @property
    def table_info(self) -> TableInfo:
        """What the function's table is made of.

        Raises:
            NoProfileError: it has none.
        """
        info = ffi.new("pwp_sim_table_info_t *")
        _library.check(lib.pwp_sim_table_info(self.simulator._open(), self.info.value, info))
        return TableInfo._of(info)

    def section(self, v: float) -> Section:
        """The section of the table that serves `v`, the input after scale and bias, rounded to float32.

        Raises:
            NoProfileError: the function has no table.
            UnhandledSectionError: no section covers `v`.
        """
        section = ffi.new("pwp_sim_section *")
        _library.check(lib.pwp_sim_table_section(self.simulator._open(), self.info.value, float(v), section))
        return Section._of(section)

    def __repr__(self) -> str:
        return f"<{self.info.name} of {self.simulator!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _activation, (self.simulator, self.info.name)


class Simulator:
    """The functions, with the tables of one source. It never changes, and any number of threads may use it at once.

    Functions are attributes by any of their names, ``sim.gelu``, or given by name, ``sim("gelu", x)``: the compiler's names
    ("Ln"), those of profile functions ("ln"), of the kernel language ("log") and of profiles ("ln_400p").

    Args:
        source: ``"builtin:"``, the tables that come with the library; a directory of profiles; ``"<directory>#<set>"``, what
            one load of a set makes resident, or ``"builtin:trainium#<set>"``; ``""``, no tables, so that every call is exact.
        tier: the instruction set that evaluates tables, ``"scalar"``, ``"avx2"``, ``"avx512"`` or ``"neon"``; the fastest where
            it is None. All give the same bits.
        threads: how many threads a call computes on, where the call itself does not say; 0 for one a core.

    Raises:
        ProfileIOError: the source does not exist or cannot be read.
        ProfileFormatError: a file in it is no valid profile; the error names the file, the field and the reason.
        InvalidArgumentError: this CPU has no such tier.
    """

    def __init__(self, source: Text = "builtin:", *, tier: Optional[str] = None, threads: int = 1) -> None:
        self.source = source
        self.threads = _threads(threads)
        self._asked_tier = tier
        out = ffi.new("pwp_sim **")
        if tier is None:
            _library.check(lib.pwp_sim_create(_library.c_string(source), out))
        else:
            _library.check(lib.pwp_sim_create_on_tier(_library.c_string(source), _library.c_string(tier), out))
        # Freed when the last call that holds it is over, whatever close() does meanwhile.
        self._handle: Any = ffi.gc(out[0], lib.pwp_sim_destroy)
        self._activations: dict[str, Activation] = {}

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("the simulator is closed")
        return self._handle

    def close(self) -> None:
        """Frees the tables, after the calls that are under way. No call may follow. Leaving a ``with`` does it too."""
        self._handle = None
        self._activations.clear()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def has_tables(self) -> bool:
        """Whether the simulator has tables at all, so that calls with ``table=True`` take them."""
        return bool(lib.pwp_sim_can_use_pwp_table(self._open()))

    @property
    def tier(self) -> str:
        """The instruction set in use: ``"scalar"``, ``"avx2"``, ``"avx512"`` or ``"neon"``."""
        return _library.text(lib.pwp_sim_tier(self._open()))

    @property
    def functions(self) -> Mapping[str, Activation]:
        """Every function by the compiler's name, in the order of their numbers."""
        return MappingProxyType({info.name: self.function(info) for info in functions()})

    def function(self, name: FunctionLike) -> Activation:
        """The function of any of its names.

        Raises:
            UnsupportedFunctionError: the name is no function's; the error suggests some that are near.
        """
        key = name.name if isinstance(name, FunctionInfo) else name
        found = self._activations.get(key) if isinstance(key, str) else None
        if found is None:
            self._open()
            found = Activation(self, function(name))
            # One for all names of a function.
            found = self._activations.setdefault(found.info.name, found)
            self._activations[key] = found
        return found

    def __call__(self, name: FunctionLike, x: ArrayLike, **options: Any) -> Any:
        """``sim(name, x, ...)``: the function of any name, called as :class:`Activation` says."""
        return self.function(name)(x, **options)

    def __getattr__(self, name: str) -> Activation:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.function(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for info in functions() for name in info.names)]

    def table_info(self, name: FunctionLike) -> TableInfo:
        """What a function's table is made of: ``sim.gelu.table_info``, by name."""
        return self.function(name).table_info

    def section(self, name: FunctionLike, v: float) -> Section:
        """The section that serves `v`: ``sim.gelu.section(v)``, by name."""
        return self.function(name).section(v)

    def __repr__(self) -> str:
        options = "" if self._asked_tier is None else f", tier={self._asked_tier!r}"
        return f"Simulator({self.source!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _simulator, (self.source, self._asked_tier, self.threads)

    if TYPE_CHECKING:
        # The functions by the names that read as Python's, for editors; `__getattr__` finds them all.
        abs: Activation
        abs_reciprocal_sqrt: Activation
        arctan: Activation
        copy: Activation
        derivative_erf: Activation
        derivative_gelu: Activation
        derivative_gelu_apprx_sigmoid: Activation
        derivative_silu: Activation
        erf: Activation
        exp: Activation
        gelu: Activation
        gelu_apprx_sigmoid: Activation
        gelu_apprx_tanh: Activation
        identity: Activation
        leaky_relu: Activation
        ln: Activation
        Ln_prime: Activation
        log: Activation
        memset_zero: Activation
        mish: Activation
        parametric_relu: Activation
        reciprocal: Activation
        reciprocal_sqrt: Activation
        relu: Activation
        rsqrt: Activation
        sigmoid: Activation
        sign: Activation
        silu: Activation
        sin: Activation
        softplus: Activation
        sqrt: Activation
        square: Activation
        tanh: Activation


def _threads(threads: int) -> int:
    if threads < 0:
        raise ValueError(f"threads is {threads}: it is a number of threads, or 0 for one a core")
    return threads


def _simulator(source: Text, tier: Optional[str], threads: int) -> Simulator:
    return Simulator(source, tier=tier, threads=threads)


def _activation(simulator: Simulator, name: str) -> Activation:
    return simulator.function(name)
