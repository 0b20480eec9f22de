"""Normalised amplitudes: what the search compares, with the weight that the errors of a search model leave at each resolution."""

from typing import Any

import numpy as np

MODEL_ERROR = 0.8  # A; r.m.s. error of a good search model, by which high resolution counts less (Read 1990, Acta Cryst. A46, 900)


def shells(spacings: Any, reflections_each: int = 250) -> list[Any]:
    """Positions of the reflections in shells of equal count, 6 to 20 of them, the finest last."""
    count = int(np.clip(len(spacings) // reflections_each, 6, 20))
    return list(np.array_split(np.argsort(-spacings), count))


def shell_means(values: Any, parts: list[Any]) -> Any:
    """For each reflection the mean over its shell of `parts`."""
    out = np.ones(len(values))
    for part in parts:
        out[part] = max(values[part].mean(), 1e-12)
    return out


def damping(spacings: Any, error: float = MODEL_ERROR) -> Any:
    """Expected part of an amplitude that a model with coordinates wrong by `error` A (r.m.s.) explains (Luzzati 1952)."""
    return np.exp(-2 * np.pi**2 / 3 * error**2 / np.asarray(spacings) ** 2)
