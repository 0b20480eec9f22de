"""A scratch folder in the current directory, removed after the work."""

import contextlib
import shutil
import tempfile
from pathlib import Path
from collections.abc import Iterator


@contextlib.contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """An empty folder below the current directory, which also holds the results: same file system, same quota."""
    path = Path(tempfile.mkdtemp(prefix=f".{prefix}-", dir="."))
    try:
        yield path.resolve()
    finally:
        shutil.rmtree(path, ignore_errors=True)
