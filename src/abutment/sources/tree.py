"""How is the judged tree read? One small interface over a work tree, a git tree or index, or memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class EntryKind(StrEnum):
    """What a directory entry is. Links are resolved."""

    FILE = "file"
    DIRECTORY = "directory"
    OUTSIDE = "outside"  # a link that leaves the root, to something that is there as far as can be told
    DANGLING = "dangling"  # a link that leads nowhere, or in a circle
    OTHER = "other"  # a socket, a device, a pipe


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One name in a directory."""

    name: str
    kind: EntryKind
    linked: bool = False  # reached through a symbolic link inside the root


class Tree(Protocol):
    """A read-only tree of files below one root. Paths are relative to it and "/"-separated; "" is the root."""

    def list(self, directory: str) -> Sequence[Entry]:
        """Return the directory's entries sorted by name; raises NotJudged where it cannot be read."""

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged (a fault with the path) where it cannot be read."""

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path; raises NotJudged where that cannot be told."""

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
