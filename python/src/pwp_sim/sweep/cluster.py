"""The run: ranges to the workers, their rows to the results.

The rows are written here, where the run was started, each when its range is finished, so a range is in the results once,
however often a worker dies on it. Dask gives the ranges of a dead worker to others.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from distributed import Client, LocalCluster, as_completed

from ..functions import FunctionLike, function, functions as every_function
from .compare import Range, Row, Total, compare
from .results import Results, results as open_results
from .sides import Side

ALL = 1 << 32

#: Ranges that wait at each thread of a worker, beside the one that it computes.
_AHEAD = 2


@dataclass(frozen=True)
class Failure:
    """A range that gave no row: every try ended with an error, or with the death of its worker."""

    range: Range
    reason: str


@dataclass
class Summary:
    """What a run found, with the rows of the runs before it that it went on from."""

    a: str
    b: str
    functions: dict[str, Total] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    resumed: int = 0
    """How many ranges were in the results already."""
    computed: int = 0
    """How many this run computed."""
    interrupted: bool = False

    @property
    def equal(self) -> bool:
        """Whether everything was compared and nothing differs."""
        return not (self.failures or self.interrupted or any(total.differ for total in self.functions.values()))

    def __str__(self) -> str:
        lines = [f"A is {self.a}", f"B is {self.b}", ""]
        width = max((len(name) for name in self.functions), default=8)
        head = f"{'function':{width}} {'inputs':>11} {'equal':>11} {'differ':>11} {'one NaN':>10}"
        lines.append(f"{head} {'first':>10} {'worst ULP':>10} {'at':>10}")
        for name, total in self.functions.items():
            row = f"{name:{width}} {total.inputs:11} {total.equal:11} {total.differ:11} {total.nan_apart:10}"
            lines.append(f"{row} {_hex(total.first):>10} {total.worst_ulp:10} {_hex(total.worst):>10}")
        lines += [f"failed: {failure.range}: {failure.reason}" for failure in self.failures]
        return "\n".join(lines)


def _hex(bits: Optional[int]) -> str:
    return "-" if bits is None else f"{bits:#010x}"


#: Called with each new row, the inputs that have a row, and the inputs in all.
Progress = Callable[[Row, int, int], None]


def run(
    a: Side,
    b: Side,
    functions: Optional[Iterable[FunctionLike]] = None,
    *,
    first: int = 0,
    last: int = ALL - 1,
    size: int = 1 << 24,
    results: Union[None, str, "os.PathLike[str]"] = None,
    cluster: Union[None, str, Client] = None,
    workers: Optional[int] = None,
    retries: int = 2,
    progress: Optional[Progress] = None,
) -> Summary:
    """Compares two sides on all inputs, or on those with the bits `first` to `last`.

    Args:
        a, b: the sides. ``Side`` says what one's own has to have.
        functions: by any of their names; all that both sides have, where it is None.
        first, last: the bits of the first and the last input.
        size: how many inputs a task has.
        results: a CSV file, or a directory that ends in ``.parquet``, to which each finished range is added. Ranges that are
            in it are not computed again. Without it the rows are in memory alone.
        cluster: the address of a Dask scheduler (``"tcp://host:8786"``) or a client of one; a cluster of processes on this
            machine where it is None. The workers need this package, and the files of the sides.
        workers: how many processes the cluster on this machine has; one a core where it is None.
        retries: how often a task that raised an error is tried again. A task whose worker died goes to another one until four
            have died on it (Dask's ``distributed.scheduler.allowed-failures``).
        progress: called after each row.

    Returns:
        The totals of each function. Ctrl-C ends the run early, with `interrupted`.

    Raises:
        Error: the results are of another comparison, or another run is writing them.
    """
    if not 0 <= first <= last < ALL or size < 1:
        raise ValueError(f"no range: first {first:#x}, last {last:#x}, size {size}")
    names = _names(a, b, functions)
    identities = a.identity, b.identity
    summary = Summary(*identities)
    store = open_results(results, identities)
    try:
        wanted = [row for row in store.rows if row.function in names and row.start <= last and row.range.end > first]
        summary.functions = {name: Total() for name in names}
        for row in wanted:
            summary.functions[row.function].add(row)
        summary.resumed = len(wanted)
        missing = [part for name in names for part in store.missing(name, first, last + 1, size)]
        if missing:
            with _client(cluster, workers) as client:
                try:
                    _compute(client, (a, b), missing, store, summary, retries, progress)
                except KeyboardInterrupt:
                    summary.interrupted = True
    finally:
        store.close()
    return summary


def _names(a: Side, b: Side, functions: Optional[Iterable[FunctionLike]]) -> list[str]:
    if functions is None:
        return [info.name for info in every_function() if a.has(info.name) and b.has(info.name)]
    return list(dict.fromkeys(function(name).name for name in functions))


@contextlib.contextmanager
def _client(cluster: Union[None, str, Client], workers: Optional[int]) -> Iterator[Client]:
    if isinstance(cluster, Client):
        yield cluster
    elif cluster is not None:
        with Client(cluster) as client:
            yield client
    else:
        count = workers or len(os.sched_getaffinity(0))
        # Processes of one thread: what aborts takes nothing else with it.
        with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0") as local, Client(local) as client:
            yield client


def _compute(
    client: Client,
    sides: tuple[Side, Side],
    missing: list[Range],
    store: Results,
    summary: Summary,
    retries: int,
    progress: Optional[Progress],
) -> None:
    total = sum(part.count for part in missing) + sum(found.inputs for found in summary.functions.values())
    finished = total - sum(part.count for part in missing)
    waiting, run_id = iter(missing), uuid.uuid4().hex
    running: dict[Any, Range] = {}
    completed = as_completed()

    def submit(count: int) -> None:
        for part in itertools.islice(waiting, count):
            key = f"compare-{run_id}-{part.function}-{part.start:08x}"
            future = client.submit(
                compare, *sides, (summary.a, summary.b), part, key=key, retries=retries, pure=False
            )
            running[future] = part
            completed.add(future)

    def ahead() -> int:
        # Fewer threads than before, where a worker died: then none for now.
        return max(0, _AHEAD * max(1, sum(map(int, client.nthreads().values()))) - len(running))

    try:
        submit(ahead())
        for future in completed:
            part = running.pop(future)
            try:
                row = future.result()
            except Exception as error:  # of a side, or Dask's of dead workers: the other ranges go on
                summary.failures.append(Failure(part, f"{type(error).__name__}: {error}"))
            else:
                store.add(row)
                summary.functions[row.function].add(row)
                summary.computed += 1
                finished += row.count
                if progress is not None:
                    progress(row, finished, total)
            submit(ahead())
    finally:
        if running:
            client.cancel(list(running))
