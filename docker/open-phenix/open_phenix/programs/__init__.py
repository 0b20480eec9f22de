"""One module per program; each has SPEC (a ProgramSpec) and run(request). No module here imports cctbx at its top."""
