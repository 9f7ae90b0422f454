"""What does one revision of a project have to say about its law? Everything that items are read from."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.receipts import Receipt
from abutment.config import DOCUMENTS
from abutment.errors import NotJudged
from abutment.gates.gate import Gate
from abutment.guard.spelling import members
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.sources.settings import RawSettings, settings_in
from abutment.sources.tree import Tree
from abutment.verdicts.notices import AMENDMENTS

_RECEIPTS = "receipts"


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision, opened. What could not be read of an earlier one is `faults`; of a present one it is raised."""

    tree: Tree  # below the configuration
    top: Tree  # of the whole repository: where CI has its files
    settings: RawSettings | None  # None where it has no configuration
    documents: Documents
    above: str = ""  # the folder of the configuration below the top: "packages/core", "" for the top itself
    tracked: frozenset[str] | None = None  # git's files
    all_tracked: frozenset[str] | None = None  # those of the whole repository, where the configuration is below its top
    present: bool = True  # it is the one that is judged
    faults: tuple[Fault, ...] = ()
    moved: bool = False  # it stands in another folder than a revision that it is compared with
    memory: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # what took reading all of its code

    @property
    def table(self) -> Mapping[str, object]:
        """The configuration as written; nothing where there is none."""
        return self.settings.table if self.settings is not None else {}

    @property
    def repository(self) -> frozenset[str]:
        """Git's files in the whole repository, by their paths from the top."""
        return (self.all_tracked if self.all_tracked is not None else self.tracked) or frozenset()

    @property
    def receipts(self) -> Mapping[str, Receipt]:
        """The receipts by the names of their files, each of which is the digest of all that is in one."""
        known: Mapping[str, Receipt] | None = self.memory.get(_RECEIPTS)
        if known is None:
            known = self.memory[_RECEIPTS] = {one.file_name: one for one in self.documents.receipts}
        return known

    def place(self, path: tuple[str | int, ...]) -> Site:
        """Return where a value of the configuration stands."""
        return Site(self.settings.file, self.settings.locate(path)) if self.settings is not None else Site("")

    def switched_on(self) -> tuple[str, ...]:
        """Return the gates in `gates`."""
        return members(self.table.get("gates"))

    def documented(self) -> frozenset[str]:
        """Return the names of those that have a policy or a baseline."""
        paths = (*self.documents.files, *self.documents.unread)
        names = (path.rpartition("/")[2] for path in paths)
        return frozenset(name.rpartition(".")[0] for name in names if name != AMENDMENTS)


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates by name that any of the revisions speaks of, as far as this installation knows them."""

    known: Mapping[str, Gate] = field(default_factory=dict)
    memory: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)  # what same documents say

    def get(self, name: str) -> Gate | None:
        """Return the gate; None for a name that nothing here answers to."""
        return self.known.get(name)


Load = Callable[[Iterable[str]], Gates]  # gives our own gates, and those of these names that are known


def opened_before(
    tree: Tree,
    top: Tree,
    root: str,
    above: str,
    tracked: frozenset[str],
    all_tracked: frozenset[str] | None = None,
    like: Documents | None = None,
) -> Revision:
    """Return an earlier revision; what cannot be read of it is told in it, as a present law may mend it.

    `like` are the documents of the present one.
    """
    faults: tuple[Fault, ...] = ()
    settings: RawSettings | None = None
    try:
        settings = settings_in(tree, root)
    except NotJudged as refusal:
        faults = refusal.faults
    folder = _folder(settings)
    try:
        documents = read_documents(tree, folder, like)
    except NotJudged as refusal:
        documents = Documents(folder, faults=refusal.faults)
    return Revision(
        tree, top, settings, documents, above, tracked, present=False, faults=faults, all_tracked=all_tracked
    )


def _folder(settings: RawSettings | None) -> str:
    """Return the folder of the documents, as `config` reads it."""
    written = settings.table.get("documents") if settings is not None else None
    return posixpath.normpath(written) if isinstance(written, str) and written.strip() else DOCUMENTS
