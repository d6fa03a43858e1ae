"""Threads: the GIL is free during a call, and nothing needs a lock."""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import pwp_sim

from conftest import assert_same


def test_other_threads_run_python_during_a_call(sim: pwp_sim.Simulator) -> None:
    x = np.random.default_rng(0).normal(0, 3, 1 << 24).astype(np.float32)
    out = np.empty_like(x)
    scalar = pwp_sim.Simulator("", tier="scalar")
    span: list[float] = []

    def call() -> None:
        span.append(time.perf_counter())
        scalar.mish(x, out=out)
        span.append(time.perf_counter())

    thread = threading.Thread(target=call)
    thread.start()
    ticks = []
    while len(span) < 2:
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()
    inside = [tick for tick in ticks if span[0] < tick < span[1]]
    # The call takes a large part of a second, in which this thread went on; with the GIL held it would not.
    assert span[1] - span[0] > 0.05
    assert len(inside) > 10


def test_one_simulator_serves_many_threads(sim: pwp_sim.Simulator) -> None:
    x = np.linspace(-8, 8, 100_000, dtype=np.float32)
    expected = {name: sim(name, x) for name in ("gelu", "exp", "tanh", "silu")}

    def work(turn: int) -> bool:
        name = list(expected)[turn % 4]
        return bool(np.array_equal(pwp_sim.Simulator("builtin:")(name, x), expected[name]))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))


def test_a_simulator_can_be_closed_during_a_call() -> None:
    sim = pwp_sim.Simulator("builtin:")
    x = np.linspace(-8, 8, 1 << 22, dtype=np.float32)
    expected = sim.gelu(x)
    started = threading.Event()

    def call() -> np.ndarray:
        gelu = sim.gelu
        started.set()
        return gelu(x)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(call)
        started.wait()
        time.sleep(0.001)
        sim.close()
        try:
            result = future.result()
        except ValueError:  # closed before it began
            return
    assert_same(result, expected)


def test_the_simulators_number_of_threads_is_the_calls(sim: pwp_sim.Simulator) -> None:
    x = np.linspace(-8, 8, 1 << 20, dtype=np.float32)
    assert_same(pwp_sim.Simulator("builtin:", threads=0).gelu(x), sim.gelu(x))


def _in_child(queue: multiprocessing.Queue) -> None:
    queue.put(float(pwp_sim.Simulator("builtin:").exp(1.0)))


def test_a_new_process_computes_too(sim: pwp_sim.Simulator) -> None:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == float(sim.exp(1.0))
    child.join()
