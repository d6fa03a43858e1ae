"""Compares two ways to compute a function on all 2**32 inputs, on the workers of a Dask cluster::

    from pwp_sim.sweep import Numerics, run

    if __name__ == "__main__":  # the workers are processes that import this file
        summary = run(Numerics(table=True), Numerics(table=False), ["exp"], results="exp.csv")
        print(summary)

or ``python -m pwp_sim.sweep table exact --function exp --results exp.csv``. A side is the tables or the closed forms of the
library in this package (:class:`Numerics`), another shared library (:class:`Library`), or a callable of one's own. The inputs
are cut into ranges; each is a task, whose result is one row of the file. A run that ended early goes on from its rows.
"""

from .cluster import Failure, Summary, run
from .compare import Range, Row, Total
from .sides import Library, Numerics, Side, side

__all__ = ["Failure", "Library", "Numerics", "Range", "Row", "Side", "Summary", "Total", "run", "side"]
