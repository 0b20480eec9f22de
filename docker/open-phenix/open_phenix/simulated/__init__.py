"""Scripted stand-ins for PHENIX programs that no open package replaces.

Nothing is computed here. Each log starts and ends with a line that says SIMULATED, each file says so where its format can.
They are reached only by the command `open-phenix-simulated PROGRAM ARGS...`, never under a phenix.* name.
"""
