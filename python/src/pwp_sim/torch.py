"""PyTorch: an unchanged model with its activations through the tables::

    with pwp_sim.torch.activations(sim) as seen:
        logits = model(inputs)

Two of torch's modes see the activations. The function mode sees what Python calls (modules, functionals, methods, their
in-place forms) and gives each an autograd function whose derivative is that of torch's own, exact one. The dispatch mode sees
what torch calls in C++, such as the gates of an LSTM; its derivatives are torch's formulas, which for exp, sigmoid, tanh and
the like start from the result, here the table's.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Optional

import ml_dtypes
import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from .functions import FunctionLike, function
from .simulator import Activation, Simulator


class ExactActivationWarning(UserWarning):
    """A call stayed exact, since no table computes it: the message says why."""


@dataclass
class Seen:
    """What a context met."""

    replaced: Counter[str] = field(default_factory=Counter)
    """How many calls each function's table served, by the compiler's name."""
    exact: Counter[str] = field(default_factory=Counter)
    """How many calls stayed exact, by the reason."""


# Why a call stays exact.
class _Exact(Exception):
    pass


def _plain(name: str) -> Callable[..., str]:
    return lambda: name


def _gelu(*, approximate: str = "none") -> str:
    if approximate not in ("none", "tanh"):
        raise TypeError(approximate)
    return "Gelu" if approximate == "none" else "Gelu_apprx_tanh"


def _softplus(beta: float = 1, threshold: float = 20) -> str:
    # From 18 on softplus(x) is x in float32, so a threshold above that changes nothing.
    if beta != 1 or threshold < 20:
        raise _Exact(f"softplus with beta={beta} and threshold={threshold}: the table is of beta=1 and threshold=20")
    return "Softplus"


def _leaky_relu(negative_slope: float = 0.01) -> str:
    if negative_slope != 0.01:
        raise _Exact(f"leaky_relu with negative_slope={negative_slope}: the table is of 0.01")
    return "Lrelu"


def _wanted(name: str, parameters: tuple[Any, ...], named: dict[str, Any]) -> str:
    """The function that a call asks for."""
    try:
        return _ACTIVATIONS[name](*parameters, **named)
    except TypeError:
        raise _Exact(f"{name} with {(*parameters, *named.items())}: no table has such parameters") from None


# torch's name of each activation, and the function for its arguments after the input.
_ACTIVATIONS: dict[str, Callable[..., str]] = {
    "gelu": _gelu,
    "silu": _plain("Silu"),
    "sigmoid": _plain("Sigmoid"),
    "tanh": _plain("Tanh"),
    "exp": _plain("Exp"),
    "softplus": _softplus,
    "mish": _plain("Mish"),
    "erf": _plain("Erf"),
    "relu": _plain("Relu"),
    "leaky_relu": _leaky_relu,
    "sqrt": _plain("Sqrt"),
    "rsqrt": _plain("Rsqrt"),
    "log": _plain("Ln"),
    "sin": _plain("Sin"),
    "atan": _plain("Arctan"),
    "sign": _plain("Sign"),
    "square": _plain("Square"),
    "abs": _plain("Abs"),
    "reciprocal": _plain("Reciprocal"),
}
_OTHER_NAMES = {"expit": "sigmoid", "arctan": "atan", "absolute": "abs", "__abs__": "abs"}
_PLACES = (torch, torch.Tensor, torch.special, torch.nn.functional, torch._C._nn)
_DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def _spellings() -> dict[Any, tuple[str, bool]]:
    """Every callable that is an activation: its name here, and whether it works in place."""
    found: dict[Any, tuple[str, bool]] = {}
    for spelling in (*_ACTIVATIONS, *_OTHER_NAMES):
        name = _OTHER_NAMES.get(spelling, spelling)
        for place in _PLACES:
            for suffix in ("", "_"):
                called = getattr(place, spelling + suffix, None)
                if callable(called):
                    found[called] = name, bool(suffix)
    return found


_SPELLINGS = _spellings()


@contextlib.contextmanager
def activations(
    sim: Simulator, functions: Optional[Iterable[FunctionLike]] = None, *, unhandled: str = "raise"
) -> Iterator[Seen]:
    """Runs torch's own activations through the tables of a simulator, in this thread, as long as the context lasts.

    gelu (with ``approximate="tanh"`` the table of that), silu, sigmoid, tanh, exp, softplus, mish, erf, relu, leaky_relu,
    sqrt, rsqrt, log, sin, atan, sign, square, abs and reciprocal, as modules, functions and methods, also in place; on
    tensors of float32, float16 and bfloat16, of any shape and strides, on any device (the tables are computed on the CPU).
    The derivative is that of the exact function. What an optimizer's step computes stays exact.

    A call that no table computes stays exact and says so, once for each reason, by an :class:`ExactActivationWarning`: another
    dtype, parameters such as softplus's beta, a function without a table in the simulator's source.

    Args:
        sim: the tables, and the number of threads.
        functions: those to replace, by any of their names; all that have a table here where it is None.
        unhandled: what happens to inputs that no section covers: ``"raise"`` an error, or ``"nan"``.

    Yields:
        What was replaced and what was not, so far.

    Raises:
        ValueError: the simulator has no tables.
    """
    if unhandled not in ("raise", "nan"):
        raise ValueError(f"unhandled is {unhandled!r}, neither 'raise' nor 'nan'")
    if not sim.has_tables:
        raise ValueError(f"{sim!r} has no tables")
    names = None if functions is None else {function(name).name for name in functions}
    engine = _Engine(sim, names, unhandled)
    hooks = (
        register_optimizer_step_pre_hook(lambda *_: engine.pause()),
        register_optimizer_step_post_hook(lambda *_: engine.go_on()),
    )
    try:
        with _Functions(engine), _Kernels(engine):
            yield engine.seen
    finally:
        for hook in hooks:
            hook.remove()


class _Engine:
    """Decides which calls a table computes, and computes them."""

    def __init__(self, sim: Simulator, names: Optional[set[str]], unhandled: str) -> None:
        self.seen = Seen()
        self._sim, self._names, self._unhandled = sim, names, unhandled
        self._with_table: dict[str, bool] = {}
        self._local = threading.local()

    @property
    def paused(self) -> bool:
        """Whether this thread computes what is exact."""
        return getattr(self._local, "depth", 0) > 0

    @contextlib.contextmanager
    def exactly(self) -> Iterator[None]:
        """Lets torch compute as it does."""
        self.pause()
        try:
            yield
        finally:
            self.go_on()

    def pause(self) -> None:
        """From here on this thread computes what is exact."""
        self._local.depth = getattr(self._local, "depth", 0) + 1

    def go_on(self) -> None:
        """Ends what the last `pause` began."""
        self._local.depth = max(0, getattr(self._local, "depth", 0) - 1)

    def table_of(self, name: str, x: Any, parameters: tuple[Any, ...], named: dict[str, Any]) -> Optional[Activation]:
        """The function whose table computes the call; None where the call stays exact."""
        if not isinstance(x, torch.Tensor) or x.device.type == "meta":
            return None
        try:
            wanted = _wanted(name, parameters, named)
            if self._names is not None and wanted not in self._names:
                return None
            if x.dtype not in _DTYPES:
                raise _Exact(f"{name} of {x.dtype}: the engine computes in float32")
            if x.layout != torch.strided or isinstance(x, FakeTensor):
                raise _Exact(f"{name} of a tensor without memory of its own ({type(x).__name__}, {x.layout})")
            activation = self._sim.function(wanted)
            if wanted not in self._with_table:
                self._with_table[wanted] = activation.has_table
            if not self._with_table[wanted]:
                raise _Exact(f"{name}: {self._sim!r} has no table of {wanted}")
        except _Exact as reason:
            if str(reason) not in self.seen.exact:
                warnings.warn(f"{reason}; it stays exact", ExactActivationWarning, stacklevel=6)
            self.seen.exact[str(reason)] += 1
            return None
        self.seen.replaced[wanted] += 1
        return activation

    def compute(self, activation: Activation, x: Any) -> Any:
        """The table's results, a new tensor. -0 stays -0, as torch's functions have no bias."""
        source = x.detach().cpu().resolve_neg()
        result = torch.empty_like(source)
        activation(_array(source), bias=-0.0, out=_array(result), unhandled=self._unhandled)
        return result.to(x.device)


def _array(tensor: Any) -> Any:
    """The tensor's memory as an array."""
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


class _ByTable(torch.autograd.Function):
    """A function by its table, with the derivative of the exact one."""

    @staticmethod
    def forward(ctx: Any, x: Any, engine: _Engine, activation: Activation, exact: Callable[[Any], Any]) -> Any:
        ctx.engine, ctx.exact = engine, exact
        ctx.save_for_backward(x)
        with engine.exactly():
            return engine.compute(activation, x)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (x,) = ctx.saved_tensors
        again = torch.is_grad_enabled()  # the derivative is to be derived in turn
        with ctx.engine.exactly(), torch.enable_grad():
            x = x if again else x.detach().requires_grad_()
            (result,) = torch.autograd.grad(ctx.exact(x), x, gradient, create_graph=again)
        return result, None, None, None


class _Functions(TorchFunctionMode):
    """Sees what Python calls."""

    def __init__(self, engine: _Engine) -> None:
        super().__init__()
        self._engine = engine

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        spelled = _SPELLINGS.get(func)
        if spelled is None or self._engine.paused:
            return func(*args, **kwargs)
        name, in_place = spelled
        x, parameters, named = _split(args, kwargs)
        in_place = bool(named.pop("inplace", False)) or in_place
        out = named.pop("out", None)
        activation = self._engine.table_of(name, x, parameters, named)
        if activation is None:
            with self._engine.exactly():
                return func(*args, **kwargs)

        def exact(x: Any) -> Any:
            return _not_in_place(name)(x, *parameters, **named)

        with self._engine.exactly():
            # What is overwritten is still needed for the derivative.
            source = x.clone() if in_place and torch.is_grad_enabled() and x.requires_grad else x
            result = _ByTable.apply(source, self._engine, activation, exact)
            if in_place:
                return x.copy_(result)
            return result if out is None else out.resize_(result.shape).copy_(result)


def _split(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The input, the other arguments by place, and those by name."""
    if args:
        # The functionals that have `inplace` may be given it by place; no other parameter of an activation is a bool.
        named = dict(kwargs)
        parameters = []
        for value in args[1:]:
            if isinstance(value, bool):
                named["inplace"] = value
            else:
                parameters.append(value)
        return args[0], tuple(parameters), named
    named = dict(kwargs)
    return named.pop("input", None), (), named


def _not_in_place(name: str) -> Callable[..., Any]:
    """torch's function of an activation."""
    found: Callable[..., Any] = getattr(torch.nn.functional, name, None) or getattr(torch, name)
    return found


class _Kernels(TorchDispatchMode):
    """Sees what torch calls in C++."""

    def __init__(self, engine: _Engine) -> None:
        super().__init__()
        self._engine = engine

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        spelling = func.overloadpacket.__name__
        name = spelling[:-1] if spelling.endswith("_") else spelling
        derivative = torch._C._current_graph_task_id() != -1
        if self._engine.paused or derivative or name not in _ACTIVATIONS or func._overloadname not in ("default", "out"):
            return func(*args, **kwargs)
        named = {key: value for key, value in kwargs.items() if key != "out"}
        activation = self._engine.table_of(name, args[0], args[1:], named)
        if activation is None:
            return func(*args, **kwargs)
        result = self._engine.compute(activation, args[0])
        if spelling.endswith("_"):
            return args[0].copy_(result)
        out = kwargs.get("out")
        return result if out is None else out.resize_(result.shape).copy_(result)
