"""Where the rows go: a CSV file, or a directory of Parquet files, each of one row, that any reader takes for one table.

A row is in the file whole or not at all, and a file has one writer at a time. What is there already is not computed again.
"""

from __future__ import annotations

import csv
import fcntl
import io
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Iterator, Optional, Union

from ..errors import Error
from .compare import FIELDS, Range, Row


class Results:
    """The rows of one comparison, which a subclass keeps.

    Raises:
        Error: the file is of another comparison, holds an input twice, or is being written by another run.
    """

    def __init__(self, identities: tuple[str, str]) -> None:
        self._identities = identities
        self.rows: list[Row] = []

    def _take(self, row: Row, where: str) -> None:
        for which, found, wanted in zip("ab", (row.a, row.b), self._identities):
            if found != wanted:
                raise Error(f"{where} is of another comparison: its side {which} is {found}, not {wanted}")
        self.rows.append(row)

    def _check(self, where: str) -> None:
        previous: Optional[Range] = None
        for part in sorted(row.range for row in self.rows):
            if previous is not None and previous.function == part.function and part.start < previous.end:
                raise Error(f"{where} counts inputs twice: {previous} and {part}")
            previous = part

    def missing(self, function: str, start: int, end: int, size: int) -> Iterator[Range]:
        """The ranges of `size`, but for the last, that are not in the rows yet."""
        done = sorted(row.range for row in self.rows if row.function == function)
        for part in [*done, Range(function, end, 0)]:
            while start < min(part.start, end):
                # Cut at multiples of the size, so that another end of the whole gives the same ranges.
                stop = min((start // size + 1) * size, part.start, end)
                yield Range(function, start, stop - start)
                start = stop
            start = max(start, part.end)

    def add(self, row: Row) -> None:
        """Keeps one more row, for good."""
        self.rows.append(row)

    def close(self) -> None:
        """Lets another run write."""


class Csv(Results):
    """A CSV file with a header; the columns are the fields of :class:`Row`."""

    def __init__(self, path: Path, identities: tuple[str, str]) -> None:
        super().__init__(identities)
        self._file = open(path, "a+b")
        try:
            _lock(self._file, path)
            self._file.seek(0)
            text = self._file.read()
            whole = text.rfind(b"\n") + 1
            # What was written last when a run was killed may have no end.
            self._file.truncate(whole)
            lines = csv.reader(io.StringIO(text[:whole].decode()))
            header = next(lines, None)
            if header is None:
                self._write(FIELDS)
            elif tuple(header) != FIELDS:
                raise Error(f"{path} is no result of a sweep: its header is {','.join(header)}")
            for line in lines:
                self._take(_row(dict(zip(FIELDS, line))), str(path))
            self._check(str(path))
        except BaseException:
            self._file.close()
            raise

    def _write(self, values: Any) -> None:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(values)
        self._file.write(line.getvalue().encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, row: Row) -> None:
        self._write(asdict(row).values())
        super().add(row)

    def close(self) -> None:
        self._file.close()


class Parquet(Results):
    """A directory of Parquet files."""

    def __init__(self, path: Path, identities: tuple[str, str]) -> None:
        super().__init__(identities)
        import pyarrow
        import pyarrow.parquet

        self._arrow, self._path = pyarrow, path
        path.mkdir(parents=True, exist_ok=True)
        self._lock = open(path / ".lock", "ab")  # readers pass over such names
        try:
            _lock(self._lock, path)
            for file in sorted(path.glob("*.parquet")):
                for found in pyarrow.parquet.ParquetFile(file).read().to_pylist():
                    self._take(_row(found), str(file))
            self._check(str(path))
        except BaseException:
            self._lock.close()
            raise

    def add(self, row: Row) -> None:
        name = f"{row.function}-{row.start:08x}.parquet"
        unfinished = self._path / f".{name}"
        with open(unfinished, "wb") as file:
            self._arrow.parquet.write_table(self._arrow.Table.from_pylist([asdict(row)]), file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(self._path / name)
        super().add(row)

    def close(self) -> None:
        self._lock.close()


def results(path: Union[None, str, "os.PathLike[str]"], identities: tuple[str, str]) -> Results:
    """The results of a path: in memory alone without one, Parquet where it ends so, else CSV."""
    if path is None:
        return Results(identities)
    path = Path(path)
    return (Parquet if path.suffix in (".parquet", ".pq") else Csv)(path, identities)


def _row(values: dict[str, Any]) -> Row:
    types = {"str": str, "int": int, "float": float}
    return Row(**{name: types[str(Row.__annotations__[name])](values[name]) for name in FIELDS})


def _lock(file: Any, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Error(f"another run is writing {path}") from None
