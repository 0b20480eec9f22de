"""open_phenix: PHENIX's commands, run by open programs (cctbx, Servalcat, Coot, PowerFit)."""

__version__ = "0.1.0"
