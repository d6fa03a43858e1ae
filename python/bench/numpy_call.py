"""What a call from Python costs beside the C call that it makes, on 16 Mi float32.

`out=` and C write to memory that both used before; a new array is beside C into what malloc gives, since both then pay for
the system's pages. Each figure is the best of some turns, and the turns of a row alternate, so what else the machine does hits both alike. With
--bar the status is 1 where a ratio is above it.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any, Callable

import numpy as np
from cffi import FFI

import pwp_sim
from pwp_sim._library import ffi, lib

COUNT = 16 << 20


# The C library's own memory, for calls into a buffer that was not touched before.
LIBC = FFI()
LIBC.cdef("void *malloc(size_t size); void free(void *memory);")
libc = LIBC.dlopen(None)


def c_call(sim: pwp_sim.Simulator, name: str, x: Any, out: Any, table: bool) -> Callable[[], None]:
    """pwp_sim_apply on the two buffers, with nothing around it."""
    function = pwp_sim.function(name).value
    affine = ffi.new("pwp_sim_affine *", (1.0, 0.0, 0.0))
    of, to = ffi.cast("float *", x.ctypes.data), ffi.cast("float *", out.ctypes.data)

    def call() -> None:
        assert lib.pwp_sim_apply(sim._handle, function, affine, to, of, x.size, table) == 0

    return call


def c_call_to_new(sim: pwp_sim.Simulator, name: str, x: Any, table: bool) -> Callable[[], None]:
    """The same into memory that malloc gives and free takes back."""
    function = pwp_sim.function(name).value
    affine = ffi.new("pwp_sim_affine *", (1.0, 0.0, 0.0))
    of = ffi.cast("float *", x.ctypes.data)

    def call() -> None:
        memory = libc.malloc(x.nbytes)
        assert lib.pwp_sim_apply(sim._handle, function, affine, ffi.cast("float *", memory), of, x.size, table) == 0
        libc.free(memory)

    return call


def best(calls: dict[str, Callable[[], Any]], turns: int) -> dict[str, float]:
    times = {name: float("inf") for name in calls}
    for _ in range(turns):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bar", type=float, help="the largest ratio that is good")
    parser.add_argument("--turns", type=int, default=15)
    arguments = parser.parse_args()

    sim = pwp_sim.Simulator("builtin:")
    x = np.random.default_rng(0).normal(0, 3, COUNT).astype(np.float32)
    out, reference = np.zeros_like(x), np.zeros_like(x)
    print(f"{COUNT} float32, tier {sim.tier}, best of {arguments.turns}; ns per element, and the ratio to the C call")
    print(f"{'':22} {'C':>8} {'out=':>8} {'ratio':>6}   {'C, malloc':>9} {'new array':>9} {'ratio':>6}")
    worst = 0.0
    for name, table in (("relu", True), ("exp", True), ("gelu", True), ("exp", False), ("gelu", False)):
        function = sim.function(name)
        raw = c_call(sim, name, x, reference, table)
        raw()
        function(x, out=out, table=table)
        assert np.array_equal(out.view(np.uint32), reference.view(np.uint32))
        calls = {
            "c": raw,
            "c new": c_call_to_new(sim, name, x, table),
            "out": lambda: function(x, out=out, table=table),
            "new": lambda: function(x, table=table),
        }
        times = {key: value / COUNT * 1e9 for key, value in best(calls, arguments.turns).items()}
        ratios = {"out": times["out"] / times["c"], "new": times["new"] / times["c new"]}
        worst = max(worst, *ratios.values())
        label = f"{name} {'by table' if table else 'exactly'}"
        row = f"{times['c']:8.3f} {times['out']:8.3f} {ratios['out']:6.2f}   "
        row += f"{times['c new']:9.3f} {times['new']:9.3f} {ratios['new']:6.2f}"
        print(f"{label:22} {row}")
    if arguments.bar is not None and worst > arguments.bar:
        print(f"the worst ratio, {worst:.2f}, is above {arguments.bar}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
