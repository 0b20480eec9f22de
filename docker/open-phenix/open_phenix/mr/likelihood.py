"""The log-likelihood gain (LLG) of a placement: how much likelier the data are with the model than without.

The Rice function of normalised amplitudes (Read 2001, Acta Cryst. D57, 1373, equations 5 and 6), its sigma-A as
sqrt(fraction) exp(-2 pi^2/3 rms^2/d^2), with the fraction and the r.m.s. error that give the highest gain, as Phaser refines its VRMS.
"""

from typing import Any

from open_phenix.mr.normalisation import damping, shell_means, shells

import numpy as np
from scipy import special

FRACTIONS = (0.03, 0.08, 0.16, 0.3, 0.5, 0.75, 0.95)
ERRORS = (0.3, 0.7, 1.1, 1.7)  # A


class Likelihood:
    """Of one set of reflections."""

    def __init__(self, amplitudes: Any, spacings: Any, epsilons: Any, centric: Any):
        self._parts = shells(spacings)
        self._epsilons, self._centric = epsilons, centric
        self.observed = self.normalised(amplitudes)
        self._damping = [damping(spacings, error) for error in ERRORS]

    def normalised(self, calculated: Any) -> Any:
        """|E| of structure factors or amplitudes on these reflections."""
        squares = np.abs(calculated) ** 2 / self._epsilons
        return np.sqrt(squares / shell_means(squares, self._parts))

    def best(self, calculated: Any) -> tuple[float, Any]:
        """The gain, and sigma-A of each reflection."""
        model = self.normalised(calculated)
        gains = [(self._gain(model, np.sqrt(part) * fall), part, number)
                 for part in FRACTIONS for number, fall in enumerate(self._damping)]
        gain, part, number = max(gains)
        return gain, np.sqrt(part) * self._damping[number]

    def gain(self, calculated: Any) -> float:
        """Log-likelihood of the data with these structure factors, less that without any."""
        return self.best(calculated)[0]

    def _gain(self, model: Any, sigma_a: Any) -> float:
        variance = 1 - sigma_a**2
        product = sigma_a * self.observed * model / variance
        exponent = sigma_a**2 * (self.observed**2 + model**2) / variance
        acentric = -np.log(variance) - exponent + 2 * product + np.log(special.ive(0, 2 * product))
        centric = -0.5 * np.log(variance) - exponent / 2 + product + np.log1p(np.exp(-2 * product)) - np.log(2)
        return float(np.where(self._centric, centric, acentric).sum())
