"""Prepares cctbx: imports it before numpy (in the other order the process crashes) and fixes its seeds."""

import random

SEED = 20260101


def start() -> None:
    """Import cctbx first and seed every random generator that cctbx uses, so that two runs give the same result."""
    from scitbx.array_family import flex  # noqa: F401  (first of all: two copies of one C++ library)
    from cctbx.array_family import flex as cctbx_flex

    import numpy

    random.seed(SEED)
    cctbx_flex.set_random_seed(SEED)
    numpy.random.seed(SEED)
