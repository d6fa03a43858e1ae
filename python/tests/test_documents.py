"""The examples of the documents print what the documents say."""

from __future__ import annotations

import pytest

from conftest import run_examples

DOCUMENTS = ["README.md", "docs/python.md", "python/README.md"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_examples_of_a_document_print_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_examples(name, "test-python") > 3, capsys.readouterr().out
