"""Exhaustive comparisons on Dask: what they count, workers that die, and runs that end early."""

from __future__ import annotations

import contextlib
import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest
from distributed import Client, LocalCluster

import pwp_sim
from conftest import run_examples
from pwp_sim.sweep import Library, Numerics, Range, Row, run, side
from pwp_sim.sweep.compare import compare
from pwp_sim.sweep.results import results

# Dask's own, of connections that a killed worker leaves.
pytestmark = pytest.mark.filterwarnings("default")

TABLE, EXACT = Numerics(), Numerics(table=False)
ONE = 0x3F800000


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        yield client


def rows_of(path: Path) -> list[dict[str, str]]:
    with open(path) as file:
        return list(csv.DictReader(file))


def assert_each_input_once(rows: list[dict[str, str]], first: int, last: int) -> None:
    at = first
    for start, count in sorted((int(row["start"]), int(row["count"])) for row in rows):
        assert start == at
        at += count
    assert at == last + 1


def row(part: Range, a: Any = TABLE, b: Any = EXACT) -> Row:
    return compare(a, b, (a.identity, b.identity), part)


def test_a_range_counts_what_numpy_finds(sim: pwp_sim.Simulator) -> None:
    part = Range("Exp", 0xC0000000, (1 << 21) + 12345)
    found = row(part)
    x = np.arange(part.start, part.end, dtype=np.uint64).astype(np.uint32).view(np.float32)
    one, other = (sim.exp(x, bias=-0.0, table=table).view(np.int32).astype(np.int64) for table in (True, False))
    apart = abs(one - other)
    assert found.count == part.count == found.equal + found.differ
    assert found.differ == np.count_nonzero(apart) > 0 and found.nan_apart == 0
    assert found.first == part.start + np.argmax(apart != 0)
    assert (found.worst_ulp, found.worst) == (apart.max(), part.start + np.argmax(apart))


def test_nan_and_zeros_are_told_apart() -> None:
    @dataclass(frozen=True)
    class Constant:
        bits: int

        @property
        def identity(self) -> str:
            return hex(self.bits)

        def __call__(self, function: str, x: Any) -> Any:
            return np.full(x.size, self.bits, np.uint32).view(np.float32)

    part = Range("Exp", 0, 10)
    nan, other_nan, zero, minus_zero = Constant(0x7FC00000), Constant(0xFFC00001), Constant(0), Constant(0x80000000)
    assert row(part, nan, other_nan).equal == 10
    assert (row(part, nan, zero).differ, row(part, nan, zero).nan_apart, row(part, nan, zero).worst) == (10, 10, -1)
    assert (row(part, zero, minus_zero).differ, row(part, zero, minus_zero).worst_ulp) == (10, 0)
    assert row(part, minus_zero, Constant(0x80000003)).worst_ulp == 3
    assert row(part, Constant(3), Constant(0x80000003)).worst_ulp == 6


def test_two_sides_that_are_the_same_have_no_difference(client: Client) -> None:
    scalar = Numerics("builtin:trainium#exp_and_others")
    summary = run(TABLE, scalar, ["exp", "tanh"], first=ONE, last=ONE + (1 << 22) - 1, size=1 << 20, cluster=client)
    assert summary.equal and summary.computed == 8
    assert {name: total.inputs for name, total in summary.functions.items()} == {"Exp": 1 << 22, "Tanh": 1 << 22}


@pytest.mark.parametrize("interface", ["C", "C++"])
def test_another_library_is_called_by_either_interface(interface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pwp_sim.sweep import _foreign

    library = Library(str(pwp_sim.LIBRARY), table=True)
    foreign = _foreign.Foreign(str(pwp_sim.LIBRARY), "builtin:")
    if interface == "C++":
        first = _foreign.Foreign._first
        none = lambda self, names: None if names[0].startswith("pwp_sim") else first(self, names)  # noqa: E731
        monkeypatch.setattr(_foreign.Foreign, "_first", none)
        foreign = _foreign.Foreign(str(pwp_sim.LIBRARY), "builtin:")
        assert foreign._simulate is not None
    monkeypatch.setattr("pwp_sim.sweep.sides._foreign", lambda path, source: foreign)
    for function in ("Gelu", "Derivative_Gelu_apprx_sigmoid"):  # a short name, and one that is not within a std::string
        assert library.has(function)
        found = row(Range(function, ONE, 1 << 16), TABLE, library)
        assert found.equal == found.count


def test_a_word_names_a_side(tmp_path: Path) -> None:
    assert side("table") == TABLE and side("exact") == EXACT
    assert side("builtin:trainium#gelu_and_others") == Numerics("builtin:trainium#gelu_and_others")
    assert isinstance(side(str(pwp_sim.LIBRARY)), Library)
    (tmp_path / "text").write_text("no library")
    for name in ("nothing", str(tmp_path / "text")):
        with pytest.raises(pwp_sim.Error):
            side(name)


@dataclass(frozen=True)
class Slow:
    """The closed forms, with a pause, and in a file who began which inputs."""

    log: str
    seconds: float = 0.1
    identity: str = "slow"

    def has(self, function: str) -> bool:
        return True

    def __call__(self, function: str, x: Any) -> Any:
        with open(self.log, "a") as file:
            file.write(f"{os.getpid()} {int(x.view(np.uint32)[0])}\n")
        time.sleep(self.seconds)
        return EXACT(function, x)


def test_when_a_worker_is_killed_nothing_is_lost_and_nothing_counted_twice(tmp_path: Path) -> None:
    first, last, size = ONE, ONE + (1 << 22) - 1, 1 << 16
    path, log, killed = tmp_path / "rows.csv", tmp_path / "log", []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:

        def kill(row: Row, finished: int, total: int) -> None:
            if finished >= total // 4 and not killed:
                # The one that began a range last, so it is at it now.
                killed.append(int(log.read_text().split("\n")[-2].split()[0]))
                os.kill(killed[0], signal.SIGKILL)

        options: dict[str, Any] = {"first": first, "last": last, "size": size, "cluster": client}
        summary = run(TABLE, Slow(str(log)), ["exp"], results=path, progress=kill, **options)
    expected = row(Range("Exp", first, last - first + 1))
    assert killed and not summary.failures and summary.computed == 64
    rows = rows_of(path)
    assert_each_input_once(rows, first, last)
    assert sum(int(found["differ"]) for found in rows) == expected.differ == summary.functions["Exp"].differ
    assert (summary.functions["Exp"].worst_ulp, summary.functions["Exp"].worst) == (expected.worst_ulp, expected.worst)
    begun = [line.split() for line in log.read_text().splitlines()]
    # It died at a range, which another process began again; and one more than the first two went on.
    again = {start for pid, start in begun if int(pid) == killed[0]} & {start for pid, start in begun if int(pid) != killed[0]}
    assert again
    assert len({pid for pid, _ in begun}) >= 2
    assert {int(found["worker"].split(":")[-1]) for found in rows} >= {killed[0]}


@dataclass(frozen=True)
class Flaky:
    """Raises at each range the first time, and at one each time."""

    directory: str
    never: int
    identity: str = "flaky"

    def has(self, function: str) -> bool:
        return True

    def __call__(self, function: str, x: Any) -> Any:
        start = int(x.view(np.uint32)[0])
        mark = Path(self.directory) / str(start)
        if start == self.never or not mark.exists():
            mark.touch()
            raise RuntimeError(f"not at {start}")
        return TABLE(function, x)


def test_an_error_is_tried_again_and_what_stays_one_is_named_and_left_for_another_run(client: Client, tmp_path: Path) -> None:
    path, size = tmp_path / "rows.csv", 1 << 12
    options: dict[str, Any] = {"first": 0, "last": 8 * size - 1, "size": size, "cluster": client, "results": path}
    summary = run(TABLE, Flaky(str(tmp_path), 3 * size), ["exp"], **options)
    assert not summary.equal and summary.computed == 7
    assert [failure.range for failure in summary.failures] == [Range("Exp", 3 * size, size)]
    assert "RuntimeError: not at" in summary.failures[0].reason and "failed" in str(summary)
    again = run(TABLE, Flaky(str(tmp_path), -1), ["exp"], **options)
    assert again.equal and (again.resumed, again.computed) == (7, 1)
    assert_each_input_once(rows_of(path), 0, 8 * size - 1)


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_run_goes_on_from_its_rows_also_with_another_size(client: Client, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    half = run(TABLE, EXACT, ["exp"], first=0, last=99_999, size=1 << 14, results=path, cluster=client)
    whole = run(TABLE, EXACT, ["exp"], first=0, last=299_999, size=1 << 16, results=path, cluster=client)
    assert (half.resumed, half.computed, whole.resumed) == (0, 7, 7)
    assert whole.functions["Exp"].inputs == 300_000
    assert whole.functions["Exp"].differ == row(Range("Exp", 0, 300_000)).differ
    done = run(TABLE, EXACT, ["exp"], first=0, last=299_999, results=path, cluster="tcp://nowhere:1")  # needs no cluster
    assert done.computed == 0 and done.functions == whole.functions
    if name.endswith(".parquet"):
        import pyarrow.parquet

        found = pyarrow.parquet.read_table(path)
        assert sum(found["count"].to_pylist()) == 300_000
    else:
        assert_each_input_once(rows_of(path), 0, 299_999)


def test_a_row_that_was_cut_off_is_computed_again(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    options: dict[str, Any] = {"first": 0, "last": 4095, "size": 1024, "results": path, "cluster": client}
    run(TABLE, EXACT, ["exp"], **options)
    path.write_bytes(path.read_bytes()[:-10])
    assert run(TABLE, EXACT, ["exp"], **options).computed == 1
    assert_each_input_once(rows_of(path), 0, 4095)


def test_results_of_another_comparison_or_of_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.parquet"):
        path = tmp_path / name
        with contextlib.closing(results(path, (TABLE.identity, EXACT.identity))) as store:
            store.add(row(Range("Exp", 0, 10)))
            with pytest.raises(pwp_sim.Error, match="another run"):
                results(path, (TABLE.identity, EXACT.identity))
        with pytest.raises(pwp_sim.Error, match="another comparison"):
            results(path, (EXACT.identity, EXACT.identity))
    text = (tmp_path / "rows.csv").read_text()
    (tmp_path / "rows.csv").write_text(text + text.splitlines()[-1] + "\n")
    with pytest.raises(pwp_sim.Error, match="twice"):
        results(tmp_path / "rows.csv", (TABLE.identity, EXACT.identity))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pwp_sim.sweep", *arguments]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_command_that_was_stopped_goes_on_where_it_was(tmp_path: Path, how: signal.Signals) -> None:
    path, last = tmp_path / "rows.csv", (1 << 26) - 1
    # Closed forms on the scalar tier take their time.
    arguments = command("exact", "table", "-f", "mish", "--last", hex(last), "--size", hex(1 << 20), "--results", str(path))
    environment = {**os.environ, "PWP_SIM_TIER": "scalar"}
    first = subprocess.Popen([*arguments, "--workers", "2"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (path.exists() and len(path.read_bytes().splitlines()) > 3):
            assert first.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        first.send_signal(how)
        first.communicate(timeout=60)
    finally:
        first.kill()
    assert first.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    before = rows_of(path)
    assert 0 < len(before) < 64
    done = subprocess.run([*arguments, "--workers", "1"], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "100.0 %" in done.stderr, done.stderr  # the table is not exact
    assert rows_of(path)[: len(before)] == before
    assert_each_input_once(rows_of(path), 0, last)
    assert str(last + 1) in done.stdout


def test_wrong_arguments_are_one_line_and_a_status(tmp_path: Path) -> None:
    for arguments, status in ((["table"], 2), (["table", "nothing"], 1), (["table", "exact", "-f", "gleu"], 1)):
        done = subprocess.run(command(*arguments), capture_output=True, text=True)
        assert done.returncode == status
        assert "Traceback" not in done.stderr and done.stderr


def test_the_examples_of_the_document_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_examples("docs/python.md", "test-sweep") >= 3, capsys.readouterr().out
