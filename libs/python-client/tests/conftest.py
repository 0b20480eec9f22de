from __future__ import annotations

import time

import pytest
from answers import Pauses


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """Seconds that the client slept, without waiting for them."""
    slept = Pauses()
    monkeypatch.setattr(time, "sleep", slept)
    return slept
