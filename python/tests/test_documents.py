"""The examples of the documents print what the documents say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["README.md", "docs/python.md", "python/README.md"]


def examples(text: str) -> str:
    """The Python sessions of a document, one after the other: the second goes on where the first ended."""
    return "\n".join(block for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) if ">>>" in block)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_examples_of_a_document_print_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    session = examples((ROOT / name).read_text())
    test = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert len(test.examples) > 3
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.failures == 0, capsys.readouterr().out
