"""What was decided, should we be killed while carrying it out? One file with all the new contents, or where they wait.

A write is decided at the instant at which its journal gets its name. Until the journal is taken away again,
readers see its contents instead of the files', and the next writer carries it out first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from abutment.baselines.document_bytes import encoded
from abutment.baselines.receipts import document_digest
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.reading import Faults, TableReader

SCHEMA = 1
FOLDER = ".abutment"  # below the documents; ignores itself
JOURNAL = f"{FOLDER}/journal.json"
STAGED = ".staged"
# What a journal may name: documents and receipts of ours, never a path that leads elsewhere.
_OURS = re.compile(r"[^/\\:]+\.jsonl|receipts/[0-9a-f]{32}\.json|migrations/[0-9a-f]{32}\.jsonl")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SETTLE = "Compare the documents with version control, then delete the journal."


@dataclass(frozen=True, slots=True)
class Decided:
    """One file of a write: its digest before (None where there was none) and its bytes after.

    What is too large for a journal is `staged`: it waits in a file of its own, called by the digest of its contents.
    """

    name: str  # relative to the documents' folder
    before: str | None
    after: bytes = b""
    staged: str = ""  # digest of the contents; "" where they are `after`

    @property
    def digest(self) -> str | None:
        """The digest of what it is afterwards."""
        return self.staged or document_digest(self.after)


def staged_name(digest: str) -> str:
    """Return where staged contents wait, relative to the documents' folder."""
    return f"{FOLDER}/{digest}{STAGED}"


def render_journal(files: Iterable[Decided]) -> bytes:
    """Return the journal of one write."""
    members = [
        {"name": file.name, **({"before": file.before} if file.before else {}), **_contents(file)} for file in files
    ]
    return encoded(json.dumps({"schema": SCHEMA, "files": members}, ensure_ascii=False) + "\n")


def _contents(file: Decided) -> dict[str, str]:
    return {"staged": file.staged} if file.staged else {"after": file.after.decode("utf-8")}


def read_journal(path: str, data: bytes, faults: Faults) -> tuple[Decided, ...]:
    """Return the files of a journal; what is wrong goes into `faults`, and then nothing of it is used."""
    own = Faults()
    try:
        table = TableReader(path, exact_json(data.decode("utf-8")), own, lambda _at: 0)
        files = _read(table)
    except ValueError as error:
        own.add(path, 0, f"the journal of an interrupted write cannot be read: it {error}.", _SETTLE)
        files = ()
    faults.found += own.found
    return () if own.found else files


def _read(table: TableReader) -> tuple[Decided, ...]:
    schema = table.integer("schema")
    if schema != SCHEMA:
        table.fault(("schema",), f"the journal's schema {schema} is not known here ({SCHEMA}).", "Upgrade abutment.")
        return ()
    files = tuple(_read_file(each) for each in table.tables("files"))
    table.close()
    return files


def _read_file(table: TableReader) -> Decided:
    name = table.text("name")
    if not _OURS.fullmatch(name):
        table.fault(("name",), f"{name!r} is no document of ours.", _SETTLE)
    before, staged = table.optional_text("before"), table.optional_text("staged")
    if staged is not None and not _DIGEST.fullmatch(staged):
        table.fault(("staged",), f"{staged!r} is no digest.", _SETTLE)
    after = b"" if staged is not None else encoded(table.text("after", blank=True))
    table.close()
    return Decided(name, before, after, staged or "")


def overtaken(
    journal: str, folder: str, files: Iterable[Decided], found: Mapping[str, str | None]
) -> tuple[Fault, ...]:
    """Return a fault for each file that is neither as the write found it nor as it leaves it.

    Somebody has changed it since the write was interrupted (another branch was checked out, it was edited):
    carrying on would undo that. `found` holds the digests of what is there, by name.
    """
    return tuple(
        Fault(
            f"{folder}/{file.name}",
            0,
            f"was changed after a write of abutment was interrupted ({journal}).",
            "Put it right, then delete the journal and repeat the command that was interrupted.",
        )
        for file in files
        if found.get(file.name) not in (file.before, file.digest)
    )
