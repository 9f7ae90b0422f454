"""Programs from short sources, built as a run builds them: for scanners that ask for uses."""

from __future__ import annotations

from collections.abc import Mapping

from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root


def built(files: Mapping[str, str]) -> Program:
    """Return the program of a tree whose only root is `.`."""
    tree = MemoryTree(dict(files))
    return build_program(discover(tree, [Root(".")]), tree, uses=True)
