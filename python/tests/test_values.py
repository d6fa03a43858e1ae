"""The values themselves: published ones, and the closed forms against mpmath and NumPy."""

from __future__ import annotations

import math
from typing import Any, Callable

import mpmath
import numpy as np
import pytest

import pwp_sim

from conftest import assert_same, bits

mp = mpmath.mp.clone()
mp.prec = 200

# The true functions. Lrelu's slope is 0.01.
TRUE: dict[str, Callable[[Any], Any]] = {
    "Sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "Tanh": mp.tanh,
    "Exp": mp.exp,
    "Softplus": lambda x: mp.log1p(mp.exp(x)) if x < 20 else x + mp.log1p(mp.exp(-x)),
    "Sqrt": mp.sqrt,
    "Rsqrt": lambda x: 1 / mp.sqrt(x),
    "Ln": mp.log,
    "Erf": mp.erf,
    "Sin": mp.sin,
    "Arctan": mp.atan,
    "Gelu": lambda x: x * mp.ncdf(x),
    "Mish": lambda x: x * mp.tanh(mp.log1p(mp.exp(x))),
    "Gelu_apprx_tanh": lambda x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
    "Silu": lambda x: x / (1 + mp.exp(-x)),
    "Derivative_silu": lambda x: (1 + mp.exp(-x) + x * mp.exp(-x)) / (1 + mp.exp(-x)) ** 2,
    "Reciprocal": lambda x: 1 / x,
    "Abs_reciprocal_sqrt": lambda x: 1 / mp.sqrt(abs(x)),
}
POSITIVE = {"Sqrt", "Rsqrt", "Ln"}

# The embedded tables' worst errors, relative above 1 and absolute below (docs/report.md); 3e-6 for the others.
TABLE_ERROR = {"Sqrt": 5e-3, "Rsqrt": 5e-2, "Ln": 1e-3, "Gelu_apprx_tanh": 3e-5, "Reciprocal": 1e-4, "Exp": 1e-4}


def points(name: str) -> Any:
    # Within the domain of the table of sin, which does not reduce its argument.
    x = np.random.default_rng(3).uniform(-3, 3, 300).astype(np.float32)
    return abs(x) if name in POSITIVE else x


def true(name: str, x: Any) -> Any:
    return np.array([float(TRUE[name](mp.mpf(float(value)))) for value in x])


@pytest.mark.parametrize("name", TRUE)
def test_an_exact_form_is_within_two_ulp_of_the_true_function(sim: pwp_sim.Simulator, name: str) -> None:
    x = points(name)
    expected = true(name, x)
    error = abs(sim(name, x, table=False).astype(np.float64) - expected)
    # Near a root of Derivative_silu or Mish the form's own cancellation counts, at the scale of its terms.
    assert np.all(error <= 2 * np.spacing(np.maximum(abs(expected), 1e-7).astype(np.float32)))


@pytest.mark.parametrize("name", TRUE)
def test_a_table_is_near_the_true_function(sim: pwp_sim.Simulator, name: str) -> None:
    x = points(name)
    expected = true(name, x)
    error = abs(sim(name, x).astype(np.float64) - expected)
    assert np.all(error <= TABLE_ERROR.get(name, 1e-5) * np.maximum(abs(expected), 1))


def test_exp_has_the_published_bits(sim: pwp_sim.Simulator) -> None:
    # docs/figures.md, the exp table: the section of 0.5, and 1.6487027 where the truth is 1.6487213.
    section = sim.exp.section(0.5)
    assert (section.negative, section.exponent, section.index, section.number) == (False, -1, 0, 424)
    assert_same(np.float32(section.x), np.uint32(0x3F1FFFFF).view(np.float32))
    assert_same(np.float32(section.d0), np.uint32(0x3FEF22AE).view(np.float32))
    assert_same(sim.exp(0.5), np.float32(1.6487027))
    assert_same(sim.exp(0.5, table=False), np.float32(math.exp(0.5)))


def test_table_and_exact_form_differ_and_each_is_the_c_call_of_its_name(sim: pwp_sim.Simulator) -> None:
    x = np.linspace(-4, 4, 1001, dtype=np.float32)
    by_table, exactly = sim.gelu(x), sim.gelu(x, table=False)
    assert np.count_nonzero(by_table != exactly) > 100
    np.testing.assert_allclose(by_table, exactly, atol=3e-6)


def test_hardwired_functions_are_numpys(sim: pwp_sim.Simulator, floats: Any) -> None:
    x = floats[~np.isnan(floats)]
    assert_same(sim.relu(x), np.maximum(x, np.float32(0)) + np.float32(0))
    assert_same(sim.abs(x), abs(x))
    assert_same(sim.sign(x), np.sign(x) + np.float32(0))
    with np.errstate(over="ignore", under="ignore"):
        assert_same(sim.square(x, table=False), x * x)
    assert_same(sim.memset_zero(x), np.zeros_like(x))


def test_every_function_gives_on_threads_and_on_every_tier_the_same_bits(sim: pwp_sim.Simulator, floats: Any) -> None:
    x = np.tile(floats, 8)
    scalar = pwp_sim.Simulator("builtin:", tier="scalar")
    for name, activation in sim.functions.items():
        for table in (True, False):
            if table and not (activation.has_table or name == "Prelu"):
                continue
            expected = scalar(name, x, table=table, alpha=0.25)
            assert_same(sim(name, x, table=table, alpha=0.25), expected)
            assert_same(sim(name, x, table=table, alpha=0.25, threads=2), expected)


def test_scale_multiplies_and_bias_is_added_after_the_product_was_rounded(sim: pwp_sim.Simulator, floats: Any) -> None:
    with np.errstate(all="ignore"):
        v = floats * np.float32(0.3) + np.float32(-1.7)
    assert_same(sim.tanh(floats, scale=0.3, bias=-1.7), sim.tanh(v, bias=-0.0))


def test_a_simulator_without_tables_is_exact(floats: Any) -> None:
    exact = pwp_sim.Simulator("")
    assert not exact.has_tables
    np.testing.assert_array_equal(bits(exact.mish(floats)), bits(exact.mish(floats, table=False)))
