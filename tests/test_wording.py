"""Words for what people read."""

from __future__ import annotations

import pytest

from solvers.wording import counted


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 states"), (1, "1 state"), (2, "2 states"), (1234567, "1,234,567 states")]
)
def test_only_one_is_singular(number: int, text: str) -> None:
    assert counted(number, "state") == text
