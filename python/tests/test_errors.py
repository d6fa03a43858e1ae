"""Each status is an exception of its own, and unhandled inputs are an error, NaN or a mask."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pwp_sim

from conftest import assert_same

X = np.array([1.0, 1.25, 1.5, 1.75, 1.99, 3.0, 5.9, 6.0, 0.0, 0.5, -0.5, -2.0, -2.5, -8.0, np.inf, -np.inf, np.nan], np.float32)
# As the fixture `holes` says.
VALUES = np.array([1, 2, 3, np.nan, np.nan, np.nan, np.nan, 8, 5, 9, 11, 11, np.nan, 10, 6, 7, np.nan], np.float32)
UNHANDLED = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], bool)


def test_an_unhandled_input_is_an_error_that_has_the_result(holes: Path) -> None:
    sim = pwp_sim.Simulator(holes)
    with pytest.raises(pwp_sim.UnhandledSectionError, match="Exp: 5 input.*first at index 3") as caught:
        sim.exp(X)
    assert (caught.value.count, caught.value.first) == (5, 3)
    assert_same(caught.value.result, VALUES)


def test_unhandled_inputs_can_be_nan_or_masked(holes: Path) -> None:
    sim = pwp_sim.Simulator(holes)
    assert_same(sim.exp(X, unhandled="nan"), VALUES)
    for x in (X, X[::-1][::-1], X.astype(">f4")):
        result, mask = sim.exp(x, unhandled="mask")
        assert_same(result, VALUES)
        np.testing.assert_array_equal(mask, UNHANDLED)
    result, mask = sim.exp(X[:3], unhandled="mask")
    assert mask.dtype == bool and not mask.any()
    assert sim.exp(1.75, unhandled="mask")[1] == np.True_


def test_the_mask_is_of_what_was_there_before_out_was_written(holes: Path) -> None:
    sim = pwp_sim.Simulator(holes)
    x = X.copy()
    result, mask = sim.exp(x, out=x, unhandled="mask")
    assert result is x
    np.testing.assert_array_equal(mask, UNHANDLED)


def test_the_mask_follows_scale_and_bias(holes: Path) -> None:
    sim = pwp_sim.Simulator(holes)
    scale = np.array([[1.0], [2.0]], np.float32)
    _, mask = sim.exp(X, scale=scale, bias=0.25, unhandled="mask")
    expected = sim.exp(X * scale + np.float32(0.25), unhandled="mask")[1]
    np.testing.assert_array_equal(mask, expected)
    assert mask.shape == (2, len(X)) and mask.any()


def test_the_mask_is_what_the_sections_say_for_every_octave(holes: Path, floats: Any) -> None:
    sim = pwp_sim.Simulator(holes)

    def covered(v: float) -> bool:
        try:
            sim.exp.section(v)
        except pwp_sim.UnhandledSectionError:
            return False
        return True

    _, mask = sim.exp(floats, bias=-0.0, unhandled="mask")
    some = np.linspace(0, len(floats) - 1, 5000).astype(int)
    np.testing.assert_array_equal(mask[some], [not covered(v) for v in floats[some]])


def test_another_word_for_unhandled_is_refused(sim: pwp_sim.Simulator) -> None:
    with pytest.raises(ValueError, match="unhandled"):
        sim.exp(X, unhandled="ignore")


def test_a_function_without_a_table_is_an_error_and_writes_nothing(holes: Path) -> None:
    sim = pwp_sim.Simulator(holes)
    out = np.ones((2, 17), np.float32)
    for options in ({}, {"scale": np.ones(17, np.float32)}):
        with pytest.raises(pwp_sim.NoProfileError, match="Tanh"):
            sim.tanh(np.stack([X, X]), out=out, **options)
    assert (out == 1).all()
    assert not sim.tanh.has_table
    with pytest.raises(pwp_sim.NoProfileError):
        sim.tanh.table_info
    with pytest.raises(pwp_sim.NoProfileError):
        sim.tanh.section(1.0)
    sim.tanh(X, table=False)
    sim("Prelu", X)


def test_an_unknown_name_is_an_error_with_suggestions(sim: pwp_sim.Simulator) -> None:
    with pytest.raises(pwp_sim.UnsupportedFunctionError, match="did you mean 'gelu'") as caught:
        sim("gleu", X)
    assert caught.value.suggestions[0] == "gelu"
    with pytest.raises(AttributeError, match="sigmoid"):
        sim.sigmod
    assert not hasattr(sim, "nothing_like_it")
    with pytest.raises(pwp_sim.UnsupportedFunctionError):
        sim("", X)
    with pytest.raises(TypeError):
        sim(16, X)


def test_a_source_that_cannot_be_read_is_an_os_error(tmp_path: Path) -> None:
    for source in (tmp_path / "gone", tmp_path):
        with pytest.raises(pwp_sim.ProfileIOError, match=str(tmp_path)) as caught:
            pwp_sim.Simulator(source)
        assert isinstance(caught.value, OSError)


def test_a_bad_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "exp_400p.json").write_text("{}")
    with pytest.raises(pwp_sim.ProfileFormatError, match="exp_400p.json"):
        pwp_sim.Simulator(tmp_path)


def test_bad_arguments_are_value_errors(sim: pwp_sim.Simulator) -> None:
    for call in (
        lambda: pwp_sim.Simulator("a\0b"),
        lambda: pwp_sim.Simulator("builtin:", tier="mmx"),
        lambda: pwp_sim.Simulator("builtin:", threads=-1),
        lambda: sim.exp(X, threads=-1),
        lambda: sim("exp\0", X),
    ):
        with pytest.raises(ValueError):
            call()


def test_a_closed_simulator_is_refused() -> None:
    with pwp_sim.Simulator("builtin:") as sim:
        exp = sim.exp
        exp(X)
    for call in (lambda: exp(X), lambda: sim.exp(X), lambda: sim.tier):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_every_error_has_one_base_and_survives_pickling() -> None:
    for name in pwp_sim.__all__:
        kind = getattr(pwp_sim, name)
        if isinstance(kind, type) and name.endswith("Error"):
            assert issubclass(kind, pwp_sim.Error)
            assert str(pickle.loads(pickle.dumps(kind("words")))) == "words"
