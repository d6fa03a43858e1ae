"""One call on arrays: `f(scale * x + bias)` with NumPy's semantics, by the C interface.

Plain arrays of float32, float16 and bfloat16 with numbers for scale and bias go to the library as they are. All else is made
an array of float32 first, on which the library works in place. Where scale or bias is an array, NumPy computes
`scale * x + bias` too, in the order of the definition (the product is rounded before the sum); with a scale of 1 and a bias
of -0 the library then changes no input.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _library, errors
from ._arrays import (
    FLOAT32,
    Array,
    Parameter,
    check_out,
    element_type,
    is_plain,
    parameter,
    result_dtype,
    result_shape,
    same_order,
    taken,
)
from ._library import ffi, lib
from .functions import FunctionInfo


#: A result, and the error that says which inputs were unhandled, if some were.
Finished = tuple[Any, Optional[errors.UnhandledSectionError]]

#: The one function that reads alpha. It has no table, so its inputs are never unhandled.
READS_ALPHA = "Prelu"


@dataclass(frozen=True)
class Call:
    """What a call asks for beside its arrays."""

    handle: Any
    function: FunctionInfo
    table: bool
    threads: int

    def run(self, out: Array, x: Array, scale: float, bias: float, alpha: float) -> int:
        """The C call, on plain arrays of one order. Gives its status; the GIL is free meanwhile."""
        affine = ffi.new("pwp_sim_affine *", (scale, bias, alpha))
        to, of = ffi.cast("void *", out.ctypes.data), ffi.cast("void *", x.ctypes.data)
        types = element_type(out.dtype), element_type(x.dtype)
        common = self.handle, self.function.value, affine, to, types[0], of, types[1], x.size, self.table
        if self.threads == 1:
            return int(lib.pwp_sim_apply_typed(*common))
        return int(lib.pwp_sim_apply_typed_parallel(*common, self.threads))

    def check(self) -> None:
        """Raises what is wrong with the function or its table, before anything is written."""
        _library.check(lib.pwp_sim_apply(self.handle, self.function.value, ffi.NULL, ffi.NULL, ffi.NULL, 0, self.table))


def apply(
    call: Call,
    x: ArrayLike,
    scale: ArrayLike,
    bias: ArrayLike,
    alpha: ArrayLike,
    out: Optional[Array],
    casting: str,
) -> Finished:
    """`f(scale * x + bias)`; the arguments are those of :class:`Activation`."""
    source = taken(x, "x", casting)
    factor, summand = parameter(scale, "scale", casting), parameter(bias, "bias", casting)
    slope = parameter(alpha, "alpha", casting)
    dtype = result_dtype(source.dtype)
    if out is not None:
        check_out(out, dtype)
    shape = result_shape(out, source, factor, summand, slope)
    if call.function.name != READS_ALPHA:
        slope = 0.0
    numbers = None
    if isinstance(factor, float) and isinstance(summand, float) and isinstance(slope, float):
        numbers = factor, summand, slope
    if numbers is not None and shape == source.shape and is_plain(source):
        done = _direct(call, source, numbers, out)
        if done is not None:
            return done
    call.check()
    if out is not None and out.dtype == FLOAT32 and is_plain(out) and not _shared(out, source, factor, summand, slope):
        work = out
    else:
        order: Any = "F" if source.flags.f_contiguous and not source.flags.c_contiguous else "C"
        work = np.empty(shape, FLOAT32, order=order)
    if numbers is not None:
        with np.errstate(all="ignore"):
            np.copyto(work, source, casting="unsafe")
        error = _unhandled(call.run(work, work, *numbers))
    else:
        fill(work, source, factor, summand)
        error = _in_place(call, work, slope)
    result = work
    if out is not None and out is not work:
        with np.errstate(all="ignore"):
            np.copyto(out, work, casting="same_kind")
        result = out
    elif out is None and dtype != FLOAT32:
        with np.errstate(all="ignore"):
            result = work.astype(dtype)
    return _finished(result, out, error)


def fill(work: Array, source: Array, scale: Parameter, bias: Parameter) -> None:
    """Writes `scale * source + bias` to `work`."""
    with np.errstate(all="ignore"):
        np.copyto(work, source, casting="unsafe")
        np.multiply(work, _float32(scale), out=work)
        np.add(work, _float32(bias), out=work)


def _float32(value: Parameter) -> Any:
    return np.float32(value) if isinstance(value, float) else value


def _direct(
    call: Call, source: Array, numbers: tuple[float, float, float], out: Optional[Array]
) -> Optional[Finished]:
    """The call on the arrays as they are; None where `out` does not fit."""
    if out is None:
        result = np.empty_like(source, subok=False)
    elif is_plain(out) and same_order(source, out):
        result = out
        # NumPy's functions see the inputs as they were; the library would see the results that it wrote over them.
        same = source.ctypes.data == out.ctypes.data and source.itemsize == out.itemsize
        if np.may_share_memory(source, out) and not same:
            source = source.copy(order="K")
    else:
        return None
    return _finished(result, out, _unhandled(call.run(result, source, *numbers)))


def _in_place(call: Call, work: Array, alpha: Parameter) -> Optional[errors.UnhandledSectionError]:
    """The function of `work`, in place; where alpha is an array, of the part of `work` that each of its elements has."""
    if isinstance(alpha, float):
        return _unhandled(call.run(work, work, 1.0, -0.0, alpha))
    alpha = alpha.reshape((1,) * (work.ndim - alpha.ndim) + alpha.shape)
    sizes: tuple[int, ...] = alpha.shape
    index: tuple[int, ...]
    for index in np.ndindex(sizes):
        # Along the axes on which alpha does not vary, all of it.
        part = tuple(slice(None) if along == 1 else slice(i, i + 1) for along, i in zip(sizes, index))
        values = np.ascontiguousarray(work[part])
        _library.check(call.run(values, values, 1.0, -0.0, float(alpha[index])))
        work[part] = values
    return None


def _unhandled(status: int) -> Optional[errors.UnhandledSectionError]:
    if status == 0:
        return None
    error = _library.error(status)
    if isinstance(error, errors.UnhandledSectionError):
        return error
    raise error


def _finished(result: Array, out: Optional[Array], error: Optional[errors.UnhandledSectionError]) -> Finished:
    """What NumPy's functions give: `out` itself, a new array, or a scalar where that has no axes."""
    value: Any = result[()] if out is None else out
    if error is not None:
        error.result = value
    return value, error


def _shared(out: Array, *operands: Parameter) -> bool:
    return any(isinstance(operand, np.ndarray) and np.may_share_memory(out, operand) for operand in operands)
