"""A scratch folder in the current directory, gone when the work is done."""

import contextlib
import shutil
import tempfile
from pathlib import Path
from collections.abc import Iterator


@contextlib.contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """An empty folder below the current directory (where results go too: same file system, same quota)."""
    path = Path(tempfile.mkdtemp(prefix=f".{prefix}-", dir="."))
    try:
        yield path.resolve()
    finally:
        shutil.rmtree(path, ignore_errors=True)
