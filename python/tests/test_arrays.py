"""NumPy's semantics: shapes, strides, broadcasting, `out`, and dtypes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pwp_sim

from conftest import assert_same

BF16 = np.dtype(ml_dtypes.bfloat16)


@pytest.fixture
def x() -> Any:
    return np.random.default_rng(1).normal(0, 3, (6, 5, 4)).astype(np.float32)


STRIDED = {
    "transposed": lambda x: x.T,
    "fortran": np.asfortranarray,
    "reversed": lambda x: x[::-1, :, ::-1],
    "sliced": lambda x: x[1:, ::2],
    "inner axis": lambda x: x[..., 1],
    "broadcast": lambda x: np.broadcast_to(x[0], (3, 5, 4)),
    "unaligned": lambda x: np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float32),
    "big-endian": lambda x: x.astype(">f4"),
    "read-only": lambda x: np.frombuffer(x.tobytes(), np.float32),
    "empty": lambda x: x[:0],
    "matrix of one": lambda x: x[:1, :1, :1],
}


@pytest.mark.parametrize("view", STRIDED)
def test_strides_and_byte_order_change_nothing(sim: pwp_sim.Simulator, x: Any, view: str) -> None:
    strided = STRIDED[view](x)
    before = strided.copy()
    plain = np.ascontiguousarray(strided, np.float32)
    expected = sim.silu(plain.ravel(), scale=2, bias=1).reshape(strided.shape)
    assert_same(sim.silu(strided, scale=2, bias=1), expected)
    assert_same(strided, before)


def test_a_result_has_the_memory_order_of_its_input(sim: pwp_sim.Simulator, x: Any) -> None:
    assert sim.exp(x).flags.c_contiguous
    assert sim.exp(np.asfortranarray(x)).flags.f_contiguous


@pytest.mark.parametrize("value", [0.5, 2, True, np.float32(0.5), np.array(0.5, np.float32), np.array(0.5, np.float16)])
def test_zero_dimensional_inputs_give_scalars(sim: pwp_sim.Simulator, value: Any) -> None:
    result = sim.exp(value)
    assert isinstance(result, np.generic)
    assert result.dtype == (np.float16 if getattr(value, "dtype", None) == np.float16 else np.float32)
    assert float(result) == pytest.approx(np.exp(float(value)), rel=1e-3)


def test_lists_are_taken_as_float32(sim: pwp_sim.Simulator) -> None:
    assert_same(sim.exp([[0.1, 2], [3, -1]]), sim.exp(np.array([[0.1, 2], [3, -1]], np.float32)))


PARAMETERS = {
    "a row": ((4,), ()),
    "a column": ((), (5, 1)),
    "both": ((6, 1, 1), (4,)),
    "more axes than x": ((2, 1, 1, 1), ()),
    "of x's shape": ((6, 5, 4), (6, 5, 4)),
}


@pytest.mark.parametrize("shapes", PARAMETERS)
def test_scale_and_bias_broadcast(sim: pwp_sim.Simulator, x: Any, shapes: str) -> None:
    rng = np.random.default_rng(2)
    scale, bias = (rng.normal(size=shape).astype(np.float32) for shape in PARAMETERS[shapes])
    shape = np.broadcast_shapes(x.shape, scale.shape, bias.shape)
    full = [np.broadcast_to(operand, shape).ravel() for operand in (x, scale, bias)]
    one_by_one = [sim.gelu(value, scale=factor, bias=summand) for value, factor, summand in zip(*full)]
    assert_same(sim.gelu(x, scale=scale, bias=bias), np.array(one_by_one, np.float32).reshape(shape))


def test_minus_zero_becomes_plus_zero_by_the_default_bias_whatever_the_strides(sim: pwp_sim.Simulator) -> None:
    # Reciprocal tells the zeros apart.
    zeros = np.full((2, 2), -0.0, np.float32)
    for result in (
        sim.reciprocal(zeros, table=False),
        sim.reciprocal(zeros[:, ::-1], table=False),
        sim.reciprocal(zeros, scale=np.ones(2, np.float32), table=False),
    ):
        assert_same(result, np.full((2, 2), np.inf, np.float32))
    assert_same(sim.reciprocal(zeros, bias=-0.0, table=False), np.full((2, 2), -np.inf, np.float32))


@pytest.mark.parametrize("shape", [(5, 1), (4,), (6, 5, 4), (2, 1, 1, 1)])
def test_an_array_of_slopes_is_prelus_for_each_element(sim: pwp_sim.Simulator, x: Any, shape: tuple[int, ...]) -> None:
    alpha = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    assert_same(sim("Prelu", x, alpha=alpha), np.where(x <= 0, x * alpha, x))


def test_a_function_without_a_slope_takes_only_the_shape_of_alpha(sim: pwp_sim.Simulator, x: Any) -> None:
    assert_same(sim.exp(x[0], alpha=np.ones((6, 1, 1), np.float32)), np.broadcast_to(sim.exp(x[0]), x.shape))


def test_out_is_written_and_returned(sim: pwp_sim.Simulator, x: Any) -> None:
    expected = sim.tanh(x)
    for out in (np.empty_like(x), np.empty_like(x, order="F"), np.empty((6, 5, 8), np.float32)[..., ::2]):
        assert sim.tanh(x, out=out) is out
        assert_same(out, expected)
    out = np.empty((6, 5, 4), ">f4")
    np.testing.assert_array_equal(sim.tanh(x, out=out), expected)


def test_out_may_be_the_input_or_overlap_it(sim: pwp_sim.Simulator) -> None:
    data = np.linspace(-3, 3, 10_000, dtype=np.float32)
    expected = sim.tanh(data)
    same = data.copy()
    assert_same(sim.tanh(same, out=same), expected)
    for shift in (1, 7, 4096):
        ahead = np.concatenate([data, np.zeros(shift, np.float32)])
        assert_same(sim.tanh(ahead[:10_000], out=ahead[shift:]), expected)
        behind = np.concatenate([np.zeros(shift, np.float32), data])
        assert_same(sim.tanh(behind[shift:], out=behind[:10_000]), expected)
    backwards = data.copy()
    assert_same(sim.tanh(backwards, out=backwards[::-1]), expected)


def test_out_may_be_the_scale_or_the_bias(sim: pwp_sim.Simulator, x: Any) -> None:
    factors = np.random.default_rng(4).normal(size=x.shape).astype(np.float32)
    for name in ("scale", "bias"):
        expected = sim.tanh(x, **{name: factors})
        out = factors.copy()
        assert_same(sim.tanh(x, **{name: out}, out=out), expected)


def test_inputs_broadcast_to_out(sim: pwp_sim.Simulator, x: Any) -> None:
    assert_same(sim.exp(x[0], out=np.empty_like(x)), np.broadcast_to(sim.exp(x[0]), x.shape).copy())


def test_a_result_is_rounded_once_to_the_dtype_of_out(sim: pwp_sim.Simulator, x: Any) -> None:
    expected = sim.exp(x)
    np.testing.assert_array_equal(sim.exp(x, out=np.empty(x.shape)), expected.astype(np.float64))
    np.testing.assert_array_equal(sim.exp(x, out=np.empty(x.shape, np.float16)), expected.astype(np.float16))
    half = x.astype(np.float16)
    assert_same(sim.exp(half, out=np.empty_like(x)), sim.exp(half.astype(np.float32)))


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (np.empty((6, 5, 4), np.int32), TypeError),
        (np.empty((6, 5), np.float32), ValueError),
        (np.empty((6, 5, 1), np.float32), ValueError),
        (np.frombuffer(bytes(480), np.float32).reshape(6, 5, 4), ValueError),
        ([0.0] * 4, TypeError),
    ],
    ids=["integers", "fewer axes", "too small", "read-only", "a list"],
)
def test_an_out_that_does_not_fit_is_refused(sim: pwp_sim.Simulator, x: Any, out: Any, error: type) -> None:
    with pytest.raises(error, match="out"):
        sim.exp(x, out=out)


def test_shapes_that_do_not_broadcast_are_refused(sim: pwp_sim.Simulator, x: Any) -> None:
    with pytest.raises(ValueError, match="broadcast"):
        sim.exp(x, scale=np.ones(3, np.float32))


EVERY_HALF = np.arange(65536, dtype=np.uint16)


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), BF16], ids=["float16", "bfloat16"])
@pytest.mark.parametrize("table", [True, False], ids=["table", "exact"])
@pytest.mark.parametrize("name", ["Gelu", "Exp", "Rsqrt", "Tanh", "Relu", "Derivative_silu"])
def test_half_floats_are_computed_in_float32_and_rounded_once(
    sim: pwp_sim.Simulator, dtype: np.dtype[Any], name: str, table: bool
) -> None:
    x = EVERY_HALF.view(dtype)
    result = sim(name, x, table=table)
    assert result.dtype == dtype
    with np.errstate(all="ignore"):
        expected = sim(name, x.astype(np.float32), table=table).astype(dtype)
    nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(np.isnan(result.astype(np.float32)), nan)
    np.testing.assert_array_equal(result.view(np.uint16)[~nan], expected.view(np.uint16)[~nan])


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), BF16], ids=["float16", "bfloat16"])
def test_half_floats_take_strides_parameters_and_out(sim: pwp_sim.Simulator, x: Any, dtype: np.dtype[Any]) -> None:
    half = x.astype(dtype)[:, ::2]
    scale = np.linspace(-1, 1, 4, dtype=np.float32)
    expected = sim.silu(half.astype(np.float32), scale=scale, bias=0.5).astype(dtype)
    result = sim.silu(half, scale=scale, bias=0.5)
    np.testing.assert_array_equal(result.view(np.uint16), expected.view(np.uint16))
    out = np.empty_like(half)
    assert sim.silu(half, scale=scale.astype(dtype), bias=0.5, out=out) is out


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), BF16], ids=["float16", "bfloat16"])
def test_the_ways_of_a_half_float_agree(sim: pwp_sim.Simulator, dtype: np.dtype[Any]) -> None:
    # As it is, on threads, with strides and with an array of ones.
    x = EVERY_HALF.view(dtype)
    twice = np.repeat(x, 2)
    expected = sim.tanh(x, bias=-0.0)
    numbers = ~np.isnan(expected.astype(np.float32))
    for result in (
        sim.tanh(x, bias=-0.0, threads=2),
        sim.tanh(twice[::2], bias=-0.0),
        sim.tanh(x, bias=np.full(65536, -0.0, np.float32)),
        sim.tanh(x.copy(), bias=-0.0, out=np.empty(131072, dtype)[::2]),
    ):
        assert result.dtype == dtype
        np.testing.assert_array_equal(result[numbers].view(np.uint16), expected[numbers].view(np.uint16))
    same = x.copy()
    sim.tanh(same, bias=-0.0, out=same)
    np.testing.assert_array_equal(same[numbers].view(np.uint16), expected[numbers].view(np.uint16))
    # A result in the upper half of the memory that the inputs have.
    memory = np.zeros(65536, np.float32)
    halves = memory.view(dtype)[:65536]
    halves[:] = x
    np.testing.assert_array_equal(sim.tanh(halves, out=memory)[numbers], sim.tanh(x.astype(np.float32))[numbers])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.bool_])
def test_what_float32_holds_exactly_comes_back_as_float32(sim: pwp_sim.Simulator, dtype: Any) -> None:
    x = np.array([0, 1, 1, 0], dtype)
    assert_same(sim.exp(x), sim.exp(x.astype(np.float32)))


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble, np.int32, np.int64, np.complex64, object, "U3"])
def test_what_would_be_rounded_is_refused_unless_casting_admits_it(sim: pwp_sim.Simulator, dtype: Any) -> None:
    x = np.array([1, 2], dtype)
    with pytest.raises(TypeError, match="float32"):
        sim.exp(x)
    with pytest.raises(TypeError, match="bias is"):
        sim.exp(np.ones(2, np.float32), bias=x)
    for casting in ("same_kind", "unsafe"):
        if np.can_cast(x.dtype, np.float32, casting) and dtype not in (object, "U3", np.complex64):
            assert_same(sim.exp(x, casting=casting), sim.exp(x.astype(np.float32)))


def test_float64_is_rounded_once(sim: pwp_sim.Simulator) -> None:
    x = np.array([0.1, 1e300, -1e-300])
    with np.errstate(over="ignore", under="ignore"):
        expected = sim.tanh(x.astype(np.float32))
    assert_same(sim.tanh(x, casting="same_kind"), expected)
