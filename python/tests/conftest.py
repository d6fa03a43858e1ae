"""What the tests share."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pwp_sim

# The tests of optional parts, and the package that each needs. `make test-torch` and
# `make test-sweep` install it.
OPTIONAL = {"test_torch.py": "torch", "test_sweep.py": "distributed"}
collect_ignore = [name for name, package in OPTIONAL.items() if importlib.util.find_spec(package) is None]


def pytest_report_header() -> str:
    missing = [f"{name} (needs {OPTIONAL[name]})" for name in collect_ignore]
    return f"not run here: {', '.join(missing) or 'nothing'}"


@pytest.fixture(scope="session")
def sim() -> pwp_sim.Simulator:
    return pwp_sim.Simulator("builtin:")


def bits(array: Any) -> Any:
    """The bits of an array of float32, with all NaNs alike, whose bits are no promise."""
    array = np.asarray(array, np.float32)
    return np.where(np.isnan(array), np.uint32(0x7FC00000), array.view(np.uint32))


def assert_same(actual: Any, expected: Any) -> None:
    """The same shape, dtype and bits."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    np.testing.assert_array_equal(bits(actual), bits(expected))


@pytest.fixture(scope="session")
def floats() -> Any:
    """Inputs of every kind: specials, every exponent, and what an activation sees."""
    rng = np.random.default_rng(7)
    any_bits = rng.integers(0, 2**32, 20_000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    usual = rng.normal(0, 4, 20_000).astype(np.float32)
    specials = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.0, -1.0], np.float32)
    return np.concatenate([specials, usual, any_bits])


def _box(value: float) -> dict[str, Any]:
    return {"float": value, "int": struct.unpack("<i", struct.pack("<f", value))[0]}


def _section(x: float, d0: float, d1: float = 0.0) -> dict[str, Any]:
    return {"x": _box(x), "d0": _box(d0), "d1": _box(d1), "d2": _box(0.0), "d3": _box(0.0)}


@pytest.fixture
def holes(tmp_path: Path) -> Path:
    """Profiles with one table, exp, that covers few inputs: of [1, 2) the first three quarters, of the other sign what is
    at most -2 and, in magnitude, at least 8; small inputs are clamped. Sections are constants, 1, 2, 3 and so on."""

    def clamp(exponent: int, mantissa: int, value: float) -> dict[str, Any]:
        return {"sat_point": exponent, "mantissa_point": mantissa, **_section(0.0, value)}

    region = {
        "exponent": 0,
        "num_sections": 3,
        "extract_size": 2,
        "exponent_sections": [_section(1.0, 1.0), _section(1.0, 2.0), _section(1.0, 3.0)],
    }
    profile = {
        "symmetry_en": False,
        "symmetry_invert_sign_opt": False,
        "symmetry_opt_use_neg_region": False,
        "symmetry_point": _box(0.0),
        "zero_result": _box(5.0),
        "nan_result": _box(float("nan")),
        "pinf_result": _box(6.0),
        "ninf_result": _box(7.0),
        "pos_exponents": [region],
        "neg_exponents": [],
        "saturation_points": {
            "sat_point_pos_high": clamp(129, 0x400000, 8.0),
            "sat_point_pos_low": clamp(126, 0x7FFFFF, 9.0),
            "sat_point_neg_high": clamp(130, 0, 10.0),
            "sat_point_neg_low": clamp(128, 0, 11.0),
        },
    }
    (tmp_path / "exp_400p.json").write_text(json.dumps(profile))
    return tmp_path


_BLOCK = re.compile(r"^(?:<!-- make (\S+) -->\n)?```python\n(.*?)^```", re.M | re.S)


def run_examples(document: str, target: str) -> int:
    """Runs the Python sessions of a document that are for a target of make, one after the other: the second goes on where
    the first ended. Those that a comment does not give to another target are for test-python. Gives their number; 0, and
    says why, where one prints something else than the document."""
    text = (Path(__file__).parents[2] / document).read_text()
    blocks = [block for of, block in _BLOCK.findall(text) if (of or "test-python") == target and ">>>" in block]
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, document, document, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    return 0 if runner.failures else len(test.examples)
