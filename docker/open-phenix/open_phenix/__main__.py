"""`python -m open_phenix phenix.refine ...` runs a program; anything else is the `open-phenix` command itself."""

import sys


def main() -> int:
    """Dispatch on the first argument."""
    argv = sys.argv[1:]
    if argv and argv[0].startswith("phenix."):
        from open_phenix.command import run_command

        return run_command(argv[0], argv[1:])
    from open_phenix.cli import main as kit_main

    return kit_main(argv)


if __name__ == "__main__":
    sys.exit(main())
