"""What the hardware's tables do to a small model.

Trains a classifier of scikit-learn's handwritten digits for each of some activations, exactly, and runs the unchanged model
once more with its activations through the tables: how far the logits move, and how many of the digits are told apart then.

    pip install './python[torch,examples]'
    python python/examples/digits.py
"""

from __future__ import annotations

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

import pwp_sim
import pwp_sim.torch

ACTIVATIONS = {
    "gelu": nn.GELU(),
    "gelu (tanh)": nn.GELU("tanh"),
    "silu": nn.SiLU(),
    "mish": nn.Mish(),
    "softplus": nn.Softplus(),
    "tanh": nn.Tanh(),
    "sigmoid": nn.Sigmoid(),
    "relu": nn.ReLU(),
}


def train(activation: nn.Module, images: torch.Tensor, labels: torch.Tensor) -> nn.Module:
    """A perceptron with two hidden layers."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 64), activation, nn.Linear(64, 64), activation, nn.Linear(64, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(15):
        for batch in torch.randperm(len(images)).split(64):
            loss = nn.functional.cross_entropy(model(images[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model.eval()


def accuracy(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """Of a hundred digits, how many are told right."""
    return 100 * (logits.argmax(1) == labels).double().mean().item()


def main() -> None:
    torch.set_num_threads(1)  # so small a model gains nothing from more
    images, labels = load_digits(return_X_y=True)
    split = train_test_split(images / 16, labels, test_size=0.4, random_state=0, stratify=labels)
    seen, unseen = (torch.tensor(part, dtype=torch.float32) for part in split[:2])
    seen_labels, unseen_labels = (torch.tensor(part) for part in split[2:])

    sim = pwp_sim.Simulator("builtin:")
    print(f"{len(unseen)} digits; the logits are those of the exact model and of the same model by table")
    print(f"{'':23} {'accuracy, %':^16} {'change of the logits':^20} {'other':>7}")
    print(f"{'dtype':9} {'activation':13} {'exact':>7} {'table':>8} {'largest':>10} {'mean':>9} {'answers':>7}")
    for name, activation in ACTIVATIONS.items():
        model = train(activation, seen, seen_labels)
        for dtype in (torch.float32, torch.bfloat16):
            model.to(dtype)
            with torch.no_grad():
                exact = model(unseen.to(dtype))
                with pwp_sim.torch.activations(sim):
                    table = model(unseen.to(dtype))
            change = (table.double() - exact.double()).abs()
            others = int((table.argmax(1) != exact.argmax(1)).sum())
            print(
                f"{str(dtype).removeprefix('torch.'):9} {name:13} "
                f"{accuracy(exact, unseen_labels):7.2f} {accuracy(table, unseen_labels):8.2f} "
                f"{change.max().item():10.1e} {change.mean().item():9.1e} {others:7}"
            )


if __name__ == "__main__":
    main()
