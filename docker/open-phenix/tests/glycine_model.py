"""The smallest search model for the tests of molecular replacement."""

from pathlib import Path


def glycine_model(path: Path, residues: int, chain: str = "A", start: float = 0.0) -> Path:
    """Glycines without geometry, on a line."""
    lines = []
    for number in range(residues):
        for name, y in (("N", 0.0), ("CA", 1.4), ("C", 2.8)):
            lines.append(f"ATOM  {len(lines) + 1:5d}  {name:<3s} GLY {chain}{number + 1:4d}    {start + 3.8 * number:8.3f}"
                         f"{y:8.3f}{(number * 7) % 5:8.3f}{1:6.2f}{20:6.2f}          {name[0]:>2s}")
    path.write_text("\n".join(lines) + "\nEND\n")
    return path
