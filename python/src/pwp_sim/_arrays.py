"""What NumPy's rules make of the arguments of a call: which dtypes are taken, which come back, which shape it all has.

The engine computes in float32. float32, float16 and ml_dtypes' bfloat16 come back as they came; what else casts to float32
comes back as float32. `casting`, as NumPy's functions have it, says what casts: with "safe", the default, no number changes
on its way in, so float64 and wide integers are refused; with "same_kind" float64 is rounded to float32 once; "unsafe" takes
integers too. Plain Python numbers, lists and tuples have no dtype of their own and are rounded to float32.
"""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import lib

Array = NDArray[Any]
Parameter = Union[float, Array]

FLOAT32 = np.dtype(np.float32)
FLOAT16 = np.dtype(np.float16)

# Without a dtype of their own. A bool is an int.
_WEAK = (int, float, list, tuple)


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether this is ml_dtypes' bfloat16, which need not be installed to ask."""
    return str(dtype.name) == "bfloat16"


def taken(value: ArrayLike, what: str, casting: str) -> Array:
    """The argument as an array, of a dtype that casts to float32.

    Raises:
        TypeError: by `casting` it does not.
    """
    if isinstance(value, _WEAK):
        with np.errstate(over="ignore"):
            return np.asarray(value, dtype=FLOAT32)
    array = np.asarray(value)
    if array.dtype != FLOAT32 and not _casts(array.dtype, casting):
        raise TypeError(
            f"{what} is {array.dtype}, which does not cast to float32 by the rule {casting!r}: "
            f"round it yourself ({what}.astype(numpy.float32)), or pass casting='same_kind' (float64) or 'unsafe' (integers)"
        )
    return array


def _casts(dtype: np.dtype[Any], casting: str) -> bool:
    return bool(np.can_cast(dtype, FLOAT32, casting=casting))  # type: ignore[arg-type]


def parameter(value: ArrayLike, what: str, casting: str) -> Parameter:
    """A scale, bias or alpha: a number where it is one, else an array of float32."""
    if isinstance(value, (int, float)):
        return float(value)
    array = taken(value, what, casting)
    return float(array) if array.ndim == 0 else array.astype(FLOAT32, copy=False)


def result_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of a result, of that of its input."""
    return dtype.newbyteorder("=") if dtype == FLOAT16 or is_bfloat16(dtype) else FLOAT32


def result_shape(out: Optional[Array], *operands: Union[float, Array]) -> tuple[int, ...]:
    """The shape that the operands have together, to which `out` must have been made.

    Raises:
        ValueError: they do not broadcast, or not to `out`.
    """
    shape = np.broadcast_shapes(*(np.shape(operand) for operand in operands))
    if out is None or out.shape == shape:
        return shape
    # Broadcasting to more axes, or to longer ones where the operands have 1.
    fits = len(shape) <= out.ndim and all(ours in (1, theirs) for ours, theirs in zip(shape[::-1], out.shape[::-1]))
    if not fits:
        raise ValueError(f"out has the shape {out.shape}, the result {shape}")
    return out.shape


def check_out(out: object, dtype: np.dtype[Any]) -> None:
    """
    Raises:
        TypeError: `out` is no array, or the result does not cast to its dtype.
        ValueError: it cannot be written.
    """
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is a {type(out).__name__}, not an array")
    if not np.can_cast(dtype, out.dtype, casting="same_kind"):
        raise TypeError(f"out is {out.dtype}, to which a result of {dtype} does not cast by the rule 'same_kind'")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def element_type(dtype: np.dtype[Any]) -> Optional[int]:
    """The library's number of a dtype that it takes as it is: float32, float16 or bfloat16, in the machine's byte order."""
    if not dtype.isnative:
        return None
    if dtype == FLOAT32:
        return int(lib.PWP_SIM_DTYPE_F32)
    if dtype == FLOAT16:
        return int(lib.PWP_SIM_DTYPE_F16)
    return int(lib.PWP_SIM_DTYPE_BF16) if is_bfloat16(dtype) else None


def is_plain(array: Array) -> bool:
    """Whether the library takes these elements as they are: of its types, one after the other in some order of the axes."""
    flags = array.flags
    return element_type(array.dtype) is not None and flags.aligned and (flags.c_contiguous or flags.f_contiguous)


def same_order(a: Array, b: Array) -> bool:
    """Whether two plain arrays of one shape have the same order in memory."""
    return (a.flags.c_contiguous and b.flags.c_contiguous) or (a.flags.f_contiguous and b.flags.f_contiguous)
