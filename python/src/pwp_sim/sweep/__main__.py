"""``python -m pwp_sim.sweep A B``: see ``--help``."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Optional, Sequence

from ..errors import Error
from .cluster import ALL, run
from .compare import Row
from .sides import side


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pwp_sim.sweep",
        description="Compares two ways to compute functions on all 2**32 inputs, on the workers of a Dask cluster.",
        epilog="The status is 0 where all results are equal, 1 where some differ or could not be had, 2 for wrong arguments, "
        "130 after Ctrl-C. With --results, the same command goes on where a run ended.",
    )
    parser.add_argument("a", metavar="A", help="table, exact, a shared library, or a source of tables")
    parser.add_argument("b", metavar="B", help="the same")
    parser.add_argument("--function", "-f", nargs="+", metavar="NAME", help="by any of their names; all that both have")
    parser.add_argument("--profiles", default="builtin:", metavar="SOURCE", help="the tables of `table` and of libraries")
    parser.add_argument("--exact", action="store_true", help="libraries compute their closed forms, not by table")
    parser.add_argument("--alpha", type=float, default=0.0, help="the slope of Prelu")
    parser.add_argument("--first", type=_bits, default=0, metavar="BITS", help="the bits of the first input (0x3f800000)")
    parser.add_argument("--last", type=_bits, default=ALL - 1, metavar="BITS", help="and of the last")
    parser.add_argument("--size", type=_bits, default=1 << 24, help="inputs in a task (%(default)s)")
    parser.add_argument("--results", metavar="FILE", help="a CSV file, or a directory that ends in .parquet")
    parser.add_argument("--address", help="of a Dask scheduler, as tcp://host:8786; processes on this machine without it")
    parser.add_argument("--workers", type=int, help="how many such processes; one a core")
    parser.add_argument("--retries", type=int, default=2, help="of a task that raised an error (%(default)s)")
    parser.add_argument("--quiet", "-q", action="store_true", help="no progress on the standard error")
    options = parser.parse_args(arguments)
    try:
        a, b = (
            side(name, source=options.profiles, table=not options.exact, alpha=options.alpha)
            for name in (options.a, options.b)
        )
        summary = run(
            a,
            b,
            options.function,
            first=options.first,
            last=options.last,
            size=options.size,
            results=options.results,
            cluster=options.address,
            workers=options.workers,
            retries=options.retries,
            progress=None if options.quiet else _Progress(),
        )
    except (Error, OSError, ValueError) as error:
        print(f"pwp_sim.sweep: {error}", file=sys.stderr)
        return 1
    print(summary)
    if summary.interrupted:
        print("pwp_sim.sweep: interrupted", file=sys.stderr)
        return 130
    return 0 if summary.equal else 1


def _bits(text: str) -> int:
    return int(text, 0)


class _Progress:
    """A line that is written over on a terminal, else one in ten seconds."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()
        self._here = 0

    def __call__(self, row: Row, finished: int, total: int) -> None:
        now = time.monotonic()
        self._here += row.count
        terminal = sys.stderr.isatty()
        if finished < total and now - self._said < (0.2 if terminal else 10):
            return
        self._said = now
        rate = self._here / max(now - self._began, 1e-9)
        left = (total - finished) / rate
        line = f"{100 * finished / total:5.1f} %  {row.function}  {rate / 1e6:.0f} M inputs/s  {left:.0f} s left"
        print(line, end="\r" if terminal and finished < total else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
