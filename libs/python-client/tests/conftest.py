from __future__ import annotations

import time

import pytest
from answers import Pauses


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    """What the client slept; nobody waits for it."""
    slept = Pauses()
    monkeypatch.setattr(time, "sleep", slept)
    return slept
