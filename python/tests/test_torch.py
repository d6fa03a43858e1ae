"""PyTorch's activations through the tables: values, in-place forms, derivatives, and what stays exact."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any, Callable

import ml_dtypes
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import pwp_sim
from conftest import run_examples
from pwp_sim.torch import ExactActivationWarning, activations

torch.set_num_threads(1)

DTYPES = {torch.float32: np.float32, torch.float16: np.float16, torch.bfloat16: ml_dtypes.bfloat16}

# torch's call, and the function whose table computes it.
CALLS: dict[str, tuple[Callable[..., Any], str]] = {
    "F.gelu": (F.gelu, "Gelu"),
    "F.gelu tanh": (lambda x: F.gelu(x, approximate="tanh"), "Gelu_apprx_tanh"),
    "nn.GELU": (nn.GELU(), "Gelu"),
    "nn.GELU tanh": (nn.GELU("tanh"), "Gelu_apprx_tanh"),
    "F.silu": (F.silu, "Silu"),
    "nn.SiLU": (nn.SiLU(), "Silu"),
    "torch.sigmoid": (torch.sigmoid, "Sigmoid"),
    "F.sigmoid": (F.sigmoid, "Sigmoid"),
    "expit": (torch.special.expit, "Sigmoid"),
    "nn.Sigmoid": (nn.Sigmoid(), "Sigmoid"),
    "torch.tanh": (torch.tanh, "Tanh"),
    "Tensor.tanh": (lambda x: x.tanh(), "Tanh"),
    "nn.Tanh": (nn.Tanh(), "Tanh"),
    "torch.exp": (torch.exp, "Exp"),
    "Tensor.exp": (lambda x: x.exp(), "Exp"),
    "F.softplus": (F.softplus, "Softplus"),
    "nn.Softplus": (nn.Softplus(), "Softplus"),
    "nn.Softplus of a threshold that changes nothing": (nn.Softplus(threshold=30), "Softplus"),
    "F.mish": (F.mish, "Mish"),
    "nn.Mish": (nn.Mish(), "Mish"),
    "torch.erf": (torch.erf, "Erf"),
    "special.erf": (torch.special.erf, "Erf"),
    "torch.relu": (torch.relu, "Relu"),
    "nn.ReLU": (nn.ReLU(), "Relu"),
    "F.leaky_relu": (F.leaky_relu, "Lrelu"),
    "nn.LeakyReLU": (nn.LeakyReLU(), "Lrelu"),
    "torch.sqrt": (lambda x: torch.sqrt(x), "Sqrt"),
    "torch.rsqrt": (torch.rsqrt, "Rsqrt"),
    "Tensor.log": (lambda x: x.log(), "Ln"),
    "torch.sin": (torch.sin, "Sin"),
    "torch.atan": (torch.atan, "Arctan"),
    "torch.arctan": (torch.arctan, "Arctan"),
    "torch.sign": (torch.sign, "Sign"),
    "torch.square": (torch.square, "Square"),
    "torch.abs": (torch.abs, "Abs"),
    "abs": (abs, "Abs"),
    "torch.reciprocal": (torch.reciprocal, "Reciprocal"),
}
IN_PLACE: dict[str, tuple[Callable[..., Any], str]] = {
    "Tensor.tanh_": (lambda x: x.tanh_(), "Tanh"),
    "torch.sigmoid_": (torch.sigmoid_, "Sigmoid"),
    "Tensor.exp_": (lambda x: x.exp_(), "Exp"),
    "F.relu_": (F.relu_, "Relu"),
    "F.relu inplace": (lambda x: F.relu(x, inplace=True), "Relu"),
    "F.relu inplace by place": (lambda x: F.relu(x, True), "Relu"),
    "F.leaky_relu inplace by place": (lambda x: F.leaky_relu(x, 0.01, True), "Lrelu"),
    "nn.SiLU": (nn.SiLU(inplace=True), "Silu"),
    "nn.Mish": (nn.Mish(inplace=True), "Mish"),
    "nn.ReLU": (nn.ReLU(inplace=True), "Relu"),
    "out=": (lambda x: torch.tanh(x, out=x), "Tanh"),
}


@pytest.fixture(autouse=True)
def _no_call_stays_exact_unasked() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ExactActivationWarning)
        yield


def inputs(function: str, dtype: torch.dtype = torch.float32, shape: tuple[int, ...] = (7, 31)) -> torch.Tensor:
    x = torch.randn(shape, generator=torch.Generator().manual_seed(3)) * 3
    return (x.abs() + 0.01 if function in ("Sqrt", "Rsqrt", "Ln") else x).to(dtype)


def by_table(sim: pwp_sim.Simulator, function: str, x: torch.Tensor) -> torch.Tensor:
    """What the table gives, rounded once to the tensor's type."""
    result = sim(function, x.detach().to(torch.float32).numpy(), bias=-0.0)
    return torch.from_numpy(np.asarray(result)).to(x.dtype)


def assert_equal(actual: torch.Tensor, expected: torch.Tensor) -> None:
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    assert torch.equal(actual, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("call", CALLS)
def test_an_activation_gives_what_its_table_gives(sim: pwp_sim.Simulator, call: str, dtype: torch.dtype) -> None:
    activation, function = CALLS[call]
    x = inputs(function, dtype)
    before = x.clone()
    with activations(sim) as seen:
        result = activation(x)
    assert_equal(result, by_table(sim, function, x))
    assert_equal(x, before)
    assert dict(seen.replaced) == {function: 1} and not seen.exact
    after = activation(x)
    if function not in ("Relu", "Sign", "Abs", "Square", "Lrelu") and dtype == torch.float32:
        assert not torch.equal(after, result), "the test tells table from exact"


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("call", IN_PLACE)
def test_an_in_place_form_overwrites_its_input(sim: pwp_sim.Simulator, call: str, dtype: torch.dtype) -> None:
    activation, function = IN_PLACE[call]
    x = inputs(function, dtype)
    expected = by_table(sim, function, x)
    with activations(sim) as seen:
        result = activation(x)
    assert result is x or result.data_ptr() == x.data_ptr()
    assert_equal(x, expected)
    assert dict(seen.replaced) == {function: 1}


@pytest.mark.parametrize("call", CALLS)
def test_the_derivative_is_that_of_the_exact_function(sim: pwp_sim.Simulator, call: str) -> None:
    activation, function = CALLS[call]
    weights = inputs("Tanh", shape=(31,))
    x = inputs(function).requires_grad_()
    (expected,) = torch.autograd.grad((activation(x) * weights).sum(), x)
    with activations(sim):
        result = activation(x)
        (inside,) = torch.autograd.grad((result * weights).sum(), x, retain_graph=True)
    (outside,) = torch.autograd.grad((result * weights).sum(), x)
    assert_equal(inside, expected)
    assert_equal(outside, expected)


@pytest.mark.parametrize("call", [call for call in IN_PLACE if call != "out="])
def test_an_in_place_form_has_the_derivative_too(sim: pwp_sim.Simulator, call: str) -> None:
    activation, function = IN_PLACE[call]
    x = inputs(function).requires_grad_()
    (expected,) = torch.autograd.grad(activation(x * 2).sum(), x)
    with activations(sim):
        result = activation(x * 2)
        (gradient,) = torch.autograd.grad(result.sum(), x)
    assert_equal(gradient, expected)
    assert_equal(result.detach(), by_table(sim, function, x * 2))


@pytest.mark.parametrize("call", ["F.gelu", "torch.tanh", "F.silu", "torch.sin"])
def test_the_derivative_can_be_derived(sim: pwp_sim.Simulator, call: str) -> None:
    activation, function = CALLS[call]
    x = inputs(function).requires_grad_()

    def second() -> torch.Tensor:
        (first,) = torch.autograd.grad(activation(x).sum(), x, create_graph=True)
        (found,) = torch.autograd.grad((first**2).sum(), x)
        return found

    expected = second()
    with activations(sim):
        assert_equal(second(), expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_half_precision_has_the_derivative_too(sim: pwp_sim.Simulator, dtype: torch.dtype) -> None:
    x = inputs("Gelu", dtype).requires_grad_()
    (expected,) = torch.autograd.grad(F.gelu(x).sum(), x)
    with activations(sim):
        (gradient,) = torch.autograd.grad(F.gelu(x).sum(), x)
    assert_equal(gradient, expected)


SHAPES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "no axes": lambda x: x[0, 0],
    "empty": lambda x: x[:0],
    "transposed": lambda x: x.T,
    "every other": lambda x: x[:, ::2],
    "expanded": lambda x: x[0].expand(5, 31),
    "a parameter": lambda x: nn.Parameter(x, requires_grad=False),
    "channels last": lambda x: x.reshape(1, 7, 31, 1).to(memory_format=torch.channels_last),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_and_strides_change_nothing(sim: pwp_sim.Simulator, shape: str) -> None:
    x = SHAPES[shape](inputs("Gelu"))
    with activations(sim):
        result = F.gelu(x)
    assert_equal(result, by_table(sim, "Gelu", x.detach().contiguous()))


def test_out_is_written(sim: pwp_sim.Simulator) -> None:
    x, out = inputs("Tanh"), torch.empty(7, 31)
    with activations(sim):
        assert torch.tanh(x, out=out) is out
    assert_equal(out, by_table(sim, "Tanh", x))


STAYS_EXACT: dict[str, tuple[Callable[..., Any], torch.dtype, str]] = {
    "beta": (nn.Softplus(beta=2), torch.float32, "beta=2"),
    "threshold": (lambda x: F.softplus(x, 1, 5), torch.float32, "threshold=5"),
    "slope": (nn.LeakyReLU(0.2), torch.float32, "negative_slope=0.2"),
    "float64": (torch.tanh, torch.float64, "float64"),
    "integers": (torch.abs, torch.int32, "int32"),
    "sparse": (lambda x: torch.relu(x.to_sparse()).to_dense(), torch.float32, "sparse"),
}


@pytest.mark.parametrize("case", STAYS_EXACT)
def test_what_no_table_can_express_stays_exact_and_says_so_once(sim: pwp_sim.Simulator, case: str) -> None:
    activation, dtype, reason = STAYS_EXACT[case]
    x = inputs("Tanh", dtype)
    with activations(sim) as seen, pytest.warns(ExactActivationWarning, match=reason) as caught:
        results = [activation(x), activation(x)]
    for result in results:
        assert_equal(result, activation(x))
    assert len(caught) == 1 and Path(caught[0].filename).suffix == ".py"
    assert not seen.replaced
    ((found, count),) = seen.exact.items()
    assert reason in found and count == 2


def test_a_function_without_a_table_stays_exact_and_says_so() -> None:
    x = inputs("Sin")
    with activations(pwp_sim.Simulator("builtin:trainium#gelu_and_others")) as seen:
        with pytest.warns(ExactActivationWarning, match="no table of Sin"):
            result = torch.sin(x)
        F.gelu(x)
    assert_equal(result, torch.sin(x))
    assert dict(seen.replaced) == {"Gelu": 1}


def test_only_the_named_functions_are_replaced(sim: pwp_sim.Simulator) -> None:
    x = inputs("Tanh")
    with activations(sim, ["gelu"]) as seen:
        assert_equal(torch.tanh(x), torch.tanh(x))
        assert_equal(F.gelu(x), by_table(sim, "Gelu", x))
    assert dict(seen.replaced) == {"Gelu": 1} and not seen.exact
    with pytest.raises(pwp_sim.UnsupportedFunctionError, match="did you mean"):
        with activations(sim, ["gleu"]):
            pass


def test_an_unhandled_input_is_an_error_or_nan(holes: Path) -> None:
    gaps = pwp_sim.Simulator(holes)
    x = torch.tensor([1.0, 1.75, 0.5])
    with activations(gaps):
        with pytest.raises(pwp_sim.UnhandledSectionError):
            torch.exp(x)
    with activations(gaps, unhandled="nan"):
        result = torch.exp(x)
    torch.testing.assert_close(result, torch.tensor([1.0, float("nan"), 9.0]), rtol=0, atol=0, equal_nan=True)


def test_a_simulator_without_tables_is_refused(sim: pwp_sim.Simulator) -> None:
    with pytest.raises(ValueError, match="no tables"):
        with activations(pwp_sim.Simulator("")):
            pass
    with pytest.raises(ValueError, match="unhandled"):
        with activations(sim, unhandled="mask"):
            pass


def test_leaving_the_context_ends_it_also_by_an_error(sim: pwp_sim.Simulator) -> None:
    x = inputs("Tanh")
    exact = torch.tanh(x)
    with pytest.raises(KeyError):
        with activations(sim):
            raise KeyError
    assert_equal(torch.tanh(x), exact)


def test_other_threads_stay_exact(sim: pwp_sim.Simulator) -> None:
    x = inputs("Tanh")
    exact, found = torch.tanh(x), []
    with activations(sim):
        thread = threading.Thread(target=lambda: found.append(torch.tanh(x)))
        thread.start()
        thread.join()
    assert_equal(found[0], exact)


class Net(nn.Module):
    """Modules, a functional, a method, and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.norm = nn.Linear(16, 32), nn.Linear(32, 16), nn.LayerNorm(16)
        self.act = nn.GELU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.second(self.act(self.first(x)))
        return F.silu(self.norm(x)) * torch.sigmoid(x)


def test_an_unchanged_model_is_the_model_with_tables_in_place_of_its_activations(sim: pwp_sim.Simulator) -> None:
    torch.manual_seed(0)
    model, x = Net(), torch.randn(5, 16)
    with activations(sim) as seen:
        result = model(x)
    y = x + model.second(by_table(sim, "Gelu", model.first(x)))
    assert_equal(result, by_table(sim, "Silu", model.norm(y)) * by_table(sim, "Sigmoid", y))
    assert dict(seen.replaced) == {"Gelu": 1, "Silu": 1, "Sigmoid": 1}
    result.sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


@pytest.mark.parametrize("training", [True, False], ids=["training", "inference"])
def test_the_activation_of_a_transformer_layer_is_seen(sim: pwp_sim.Simulator, training: bool) -> None:
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, activation="gelu", batch_first=True).train(training)
    with activations(sim) as seen, torch.set_grad_enabled(training):
        layer(torch.randn(2, 5, 16))
    assert seen.replaced["Gelu"] == 1


def test_the_gates_of_a_recurrent_cell_are_seen(sim: pwp_sim.Simulator) -> None:
    torch.manual_seed(0)
    cell, x, h, c = nn.LSTMCell(8, 8), torch.randn(3, 8), torch.randn(3, 8), torch.randn(3, 8)
    with activations(sim) as seen:
        _, after = cell(x, (h, c))
    i, f, g, o = (F.linear(x, cell.weight_ih, cell.bias_ih) + F.linear(h, cell.weight_hh, cell.bias_hh)).chunk(4, 1)
    sigmoid = lambda gate: by_table(sim, "Sigmoid", gate)  # noqa: E731
    expected = sigmoid(f) * c + sigmoid(i) * by_table(sim, "Tanh", g)
    torch.testing.assert_close(after, expected, rtol=0, atol=1e-6)
    assert seen.replaced["Sigmoid"] == 3 and seen.replaced["Tanh"] == 2


def test_a_step_of_an_optimizer_stays_exact(sim: pwp_sim.Simulator) -> None:
    def trained() -> torch.Tensor:
        weight = nn.Parameter(torch.linspace(-1, 1, 50))
        optimizer = torch.optim.Adam([weight], lr=0.1, foreach=False)
        for _ in range(3):
            weight.grad = torch.linspace(1, 2, 50)
            optimizer.step()
        return weight.detach()

    expected = trained()
    with activations(sim) as seen:
        assert_equal(trained(), expected)
        assert not seen.replaced
        torch.tanh(expected)
    assert seen.replaced


def test_the_example_on_digits_prints_what_the_tables_change() -> None:
    example = Path(__file__).parents[1] / "examples" / "digits.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if re.match(r"(float32|bfloat16) ", line)]
    assert len(rows) >= 4
    for row in rows:
        exact, table, largest = (float(number) for number in re.findall(r"\d+\.\d+(?:e-?\d+)?", row)[:3])
        assert exact > 90 and abs(exact - table) < 2 and 0 <= largest < 1
    assert any(float(re.findall(r"\d+\.\d+(?:e-?\d+)?", row)[2]) > 0 for row in rows)


def test_the_examples_of_the_document_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(ExactActivationWarning, match="beta=2"):
        count = run_examples("docs/python.md", "test-torch")
    assert count >= 8, capsys.readouterr().out
