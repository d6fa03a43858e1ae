"""pwp_sim: what Trainium's activation engine computes, on NumPy arrays.

A function of the engine is a look-up table of cubics. :class:`Simulator` gives what the hardware's table gives, to the bit,
or the exact closed form::

    sim = pwp_sim.Simulator("builtin:")
    sim.gelu(x)                      # by the table
    sim.gelu(x, table=False)         # the exact form
    sim("log", x, scale=2, bias=1)   # any known name; f(scale * x + bias)

:class:`Catalog` tells which functions the hardware can hold at a time. ``pwp_sim.torch`` runs PyTorch's activations through
the tables, ``pwp_sim.sweep`` compares two ways to compute a function on all 2**32 inputs.
"""

from ._library import PATH as LIBRARY
from ._library import lib as _lib
from ._library import text as _text
from .catalog import Catalog, FunctionSet, Load
from .errors import (
    Error,
    InternalError,
    InvalidArgumentError,
    NoProfileError,
    OutOfMemoryError,
    ProfileFormatError,
    ProfileIOError,
    UnhandledSectionError,
    UnsupportedFunctionError,
)
from .functions import FunctionClass, FunctionInfo, PublishedProfile, function, functions
from .simulator import Activation, Simulator
from .tables import Clamp, Octaves, Place, Section, TableInfo

__version__ = _text(_lib.pwp_sim_version())

__all__ = [
    "LIBRARY",
    "Activation",
    "Catalog",
    "Clamp",
    "Error",
    "FunctionClass",
    "FunctionInfo",
    "FunctionSet",
    "InternalError",
    "InvalidArgumentError",
    "Load",
    "NoProfileError",
    "Octaves",
    "OutOfMemoryError",
    "Place",
    "ProfileFormatError",
    "ProfileIOError",
    "PublishedProfile",
    "Section",
    "Simulator",
    "TableInfo",
    "UnhandledSectionError",
    "UnsupportedFunctionError",
    "__version__",
    "function",
    "functions",
]
