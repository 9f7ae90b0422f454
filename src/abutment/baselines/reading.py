"""What do all documents say at one instant, also while another process writes or after one was killed?

No lock is taken, so that a check can run where nothing may be written. Instead the folder is looked at twice:
a write shows either in its journal or, once that is gone, in every file, so two equal looks are one whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from abutment.baselines.journal import JOURNAL, Decided, overtaken, read_journal, staged_name
from abutment.baselines.migration.receipt import FOLDER as MIGRATIONS
from abutment.baselines.migration.receipt import read_migrations
from abutment.baselines.receipts import NOTHING_KNOWN, Known, Receipt, document_digest, outgrown, read_receipts
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.reading import Faults
from abutment.model.terms import Terms
from abutment.sources.tree import EntryKind, Tree

_LOOKS = 50
_TRIES = 3
_SUFFIXES = (".toml", ".jsonl")
_RECEIPTS = {"receipts": ".json", MIGRATIONS: ".jsonl"}  # below the folder, and how their names end
_SETTLE = "Restore the documents from version control, then delete the journal and repeat the command."


@dataclass(frozen=True, slots=True)
class Documents:
    """Every document of one folder, as one whole."""

    folder: str
    files: Mapping[str, bytes] = field(default_factory=dict)  # policies and baselines, by path relative to the root
    unread: Mapping[str, tuple[Fault, ...]] = field(default_factory=dict)  # those that cannot be read, and why
    receipts: tuple[Receipt, ...] = ()
    faults: tuple[Fault, ...] = ()  # of receipts and journal: they concern every gate
    known: Known = field(default_factory=dict, compare=False, repr=False)  # the receipts by their files
    like: Documents | None = field(default=None, compare=False, repr=False)  # of another revision, to read less anew
    # What was made of these documents. Not handed on where a value is made of this one with other documents in it.
    memory: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def get(self, path: str, faults: Faults) -> bytes | None:
        """Return a document's bytes, or None where there is none; one that cannot be read is a fault."""
        faults.found += self.unread.get(path, ())
        return self.files.get(path)


def foreign_receipts(documents: Documents, terms: Terms) -> Iterator[Fault]:
    """Yield a fault for each receipt that tells a gate's facts apart by other fields than the gate does."""
    before = outgrown(documents.receipts, terms.gate)
    for receipt in documents.receipts:
        parts = () if receipt.digest in before else receipt.parts
        if any(part.gate == terms.gate and part.fields != terms.fields for part in parts):
            yield Fault(
                f"{documents.folder}/{receipt.place}",
                0,
                f"names {terms.gate}'s facts by other fields than {', '.join(terms.fields)}.",
                "It was written by another version: use the version that wrote it, then upgrade.",
            )


@dataclass(frozen=True, slots=True)
class _Look:
    """The folder as it was seen once; files by name relative to it."""

    journal: bytes | None
    files: Mapping[str, bytes]
    unread: Mapping[str, tuple[Fault, ...]]
    receipts: tuple[str, ...]


def read_documents(tree: Tree, folder: str, like: Documents | None = None) -> Documents:
    """Return the documents of a folder, read through the journal of a write that was decided but not finished.

    A folder that is not there reads as empty. `like` are those of another revision: most of what they say is in both.
    Raises NotJudged where the folder or the journal cannot be read.
    """
    for _ in range(_TRIES):
        look = _steady_look(tree, folder)
        faults = Faults()
        decided = _filled(tree, folder, look, _decided(tree, folder, look, faults))
        if decided is not None:
            return _read(tree, folder, look, decided, faults, like)
    gone = Fault(f"{folder}/{JOURNAL}", 0, "what an interrupted write has decided is not there any more.", _SETTLE)
    raise NotJudged(gone)


def _read(
    tree: Tree, folder: str, look: _Look, decided: tuple[Decided, ...], faults: Faults, like: Documents | None
) -> Documents:
    for file in decided:
        look = _overlaid(look, file)
    written = _receipt_files(tree, folder, look, decided, faults)
    migrations = {path: data for path, data in written.items() if path.endswith(".jsonl")}
    ours = {path: data for path, data in written.items() if path not in migrations}
    known = like.known if like is not None else NOTHING_KNOWN
    receipts = {**read_receipts(ours, faults, known), **read_migrations(migrations, faults, known)}
    return Documents(
        folder=folder,
        files={f"{folder}/{name}": data for name, data in look.files.items()},
        unread={f"{folder}/{name}": found for name, found in look.unread.items()},
        receipts=tuple(receipts.values()),
        faults=tuple(faults.found),
        known={(path, written[path]): receipt for path, receipt in receipts.items()},
        like=like,
    )


def _steady_look(tree: Tree, folder: str) -> _Look:
    look = _look(tree, folder)
    for _ in range(_LOOKS):
        again = _look(tree, folder)
        if again == look:
            return look
        look = again
    raise NotJudged(Fault(folder, 0, "the documents keep changing while they are read.", "Try again."))


def _look(tree: Tree, folder: str) -> _Look:
    # The journal comes first: a write that begins after it is noticed by the second look.
    journal = _journal(tree, f"{folder}/{JOURNAL}")
    files: dict[str, bytes] = {}
    unread: dict[str, tuple[Fault, ...]] = {}
    receipts: tuple[str, ...] = ()
    if _is_directory(tree, folder):
        for entry in tree.list("" if folder == "." else folder):
            if entry.name in _RECEIPTS:
                receipts += _receipt_names(tree, folder, entry.name)
            elif entry.name.endswith(_SUFFIXES):
                _take(tree, folder, entry.name, files, unread)
    return _Look(journal, files, unread, receipts)


def _journal(tree: Tree, path: str, looks: int = _LOOKS) -> bytes | None:
    if not tree.exists(path):
        return None
    try:
        return tree.read(path)
    except NotJudged:
        if looks <= 1:
            raise
    # Its write was finished between the question and the reading, and another one may have begun since.
    return _journal(tree, path, looks - 1)


def _take(tree: Tree, folder: str, name: str, files: dict[str, bytes], unread: dict[str, tuple[Fault, ...]]) -> None:
    try:
        files[name] = tree.read(f"{folder}/{name}")
    except NotJudged as refusal:  # this gate's alone: the others have documents of their own
        unread[name] = refusal.faults


def _receipt_names(tree: Tree, folder: str, kind: str) -> tuple[str, ...]:
    entries = tree.list(f"{folder}/{kind}")
    return tuple(f"{kind}/{entry.name}" for entry in entries if entry.name.endswith(_RECEIPTS[kind]))


def _is_directory(tree: Tree, folder: str) -> bool:
    """Say whether the folder is there; raises NotJudged where something else has its name."""
    above = ""
    for part in () if folder == "." else folder.split("/"):
        kinds = {entry.name: entry.kind for entry in tree.list(above)}
        above = f"{above}/{part}" if above else part
        if part not in kinds:
            return False
        if kinds[part] is not EntryKind.DIRECTORY:
            raise NotJudged(Fault(above, 0, "is no folder inside the project.", "`documents` has to name one."))
    return True


def _decided(tree: Tree, folder: str, look: _Look, faults: Faults) -> tuple[Decided, ...]:
    """Return what the journal has decided; nothing where it must not be used, which is then a fault."""
    if look.journal is None:
        return ()
    path = f"{folder}/{JOURNAL}"
    decided = read_journal(path, look.journal, faults)
    found = {name: document_digest(data) for name, data in look.files.items()}
    for name in look.receipts:
        if any(file.name == name for file in decided):
            found[name] = document_digest(tree.read(f"{folder}/{name}"))
    wrong = overtaken(path, folder, decided, found)
    faults.found += wrong
    return () if wrong else decided


def _filled(tree: Tree, folder: str, look: _Look, decided: tuple[Decided, ...]) -> tuple[Decided, ...] | None:
    """Return what was decided with staged contents in their places; None where these are gone, as it is done by now."""
    filled = []
    for file in decided:
        if not file.staged:
            filled.append(file)
            continue
        data = _staged(tree, folder, look, file)
        if data is None:
            return None
        filled.append(replace(file, after=data))
    return tuple(filled)


def _staged(tree: Tree, folder: str, look: _Look, file: Decided) -> bytes | None:
    """Return the contents: of the file itself, where they are there already, or of where they wait."""
    for name in (file.name, staged_name(file.staged)):
        try:
            data = look.files.get(name) or tree.read(f"{folder}/{name}")
        except NotJudged:
            continue
        if document_digest(data) == file.staged:
            return data
    return None


def _overlaid(look: _Look, file: Decided) -> _Look:
    if "/" in file.name:
        return look
    unread = {name: found for name, found in look.unread.items() if name != file.name}
    return _Look(look.journal, {**look.files, file.name: file.after}, unread, look.receipts)


def _receipt_files(
    tree: Tree, folder: str, look: _Look, decided: tuple[Decided, ...], faults: Faults
) -> dict[str, bytes]:
    pending = {file.name: file.after for file in decided if "/" in file.name}
    found: dict[str, bytes] = {}
    for name in {*look.receipts, *pending}:
        try:
            found[f"{folder}/{name}"] = pending[name] if name in pending else tree.read(f"{folder}/{name}")
        except NotJudged as refusal:
            faults.found += refusal.faults
    return found
