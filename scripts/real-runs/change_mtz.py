"""Writes a changed copy of an MTZ file: the same reflections under another space group's name, or without their free flags.

usage: change_mtz.py IN OUT [--space-group NAME] [--without COLUMN]
"""

import argparse

import gemmi


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--space-group")
    parser.add_argument("--without")
    options = parser.parse_args()
    mtz = gemmi.read_mtz_file(options.source)
    if options.space_group:
        mtz.spacegroup = gemmi.SpaceGroup(options.space_group)
    if options.without:
        mtz.remove_column(mtz.column_with_label(options.without).idx)
    mtz.write_to_file(options.target)


main()
