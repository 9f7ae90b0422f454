"""Where does a corpus lie while it is examined? In a project of its own, that is thrown away afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.catalogue import ABUTMENT_PYTHON, Corpus, lay_out, run_quietly


@contextmanager
def project_of(corpus: Corpus) -> Iterator[Path]:
    """Yield the root of a project that holds the corpus and no settings yet."""
    with tempfile.TemporaryDirectory() as folder:
        yield lay_out(corpus, Path(folder).resolve() / "tree")


@contextmanager
def initialized(corpus: Corpus) -> Iterator[Path]:
    """Yield the root of a project that holds the corpus and what `abutment init` makes of it."""
    with project_of(corpus) as tree:
        run_quietly([ABUTMENT_PYTHON, "-m", "abutment", "init"], cwd=tree)
        yield tree
