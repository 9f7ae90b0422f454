"""`abutment receipts`: what was written, and do the baselines agree with it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from abutment.baselines.law import Law
from abutment.baselines.plan import counted
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.receipts import Receipt
from abutment.baselines.verify import missing_receipts, powerless_lines
from abutment.cli.law import unique
from abutment.cli.opening import Opening, place_option
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.errors import NotJudged, UnknownName
from abutment.gates import load_gate
from abutment.model.fault import Fault
from abutment.model.identity import key_text
from abutment.verdicts.law import law_of


@click.group("receipts", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show what each write of baselines did, and hold the baselines against it."""


@command.command("verify")
@place_option
def verify(opening: Opening) -> int:
    """Hold every line of every baseline against the lowest count that receipts recorded. Reads no code.

    Exit status: 0 they agree, 1 a line says more than it grants, 2 a document or a receipt cannot be trusted.
    """
    config = opening.one()
    documents = read_documents(opening.tree(config), config.documents)
    laws, faults = _laws(config, documents)
    found = [fault for law in laws for fault in powerless_lines(law)]
    lines = [fault.line_text() for fault in found]
    lines += [f"not judged: {fault.line_text()}" for fault in faults]
    lines += [f"note: {fault.line_text()}" for fault in missing_receipts(documents)]
    status = 2 if faults else 1 if found else 0
    Streams().emit("".join(f"{line}\n" for line in (*lines, _closing(documents, laws, status))))
    return status


def _laws(config: Config, documents: Documents) -> tuple[list[Law], tuple[Fault, ...]]:
    """Return the law of each gate that is on or has a baseline here, and why others cannot be read."""
    laws: list[Law] = []
    faults: list[Fault] = []
    for name in _gates(config, documents):
        try:
            laws.append(law_of(documents, load_gate(name).terms(config.documents)))
        except NotJudged as refusal:
            faults.extend(refusal.faults)
    return laws, unique((*documents.faults, *faults))


def _gates(config: Config, documents: Documents) -> list[str]:
    """Return the gates that are switched on and those of which there is a baseline."""
    paths = (path for path in (*documents.files, *documents.unread) if path.endswith(".jsonl"))
    return sorted({*config.gates, *(path.rpartition("/")[2].removesuffix(".jsonl") for path in paths)})


def _closing(documents: Documents, laws: Sequence[Law], status: int) -> str:
    entries = sum(len(law.grants.recorded) for law in laws)
    word = ("held", "broken", "not judged")[status]
    baselines = sum(law.baseline is not None for law in laws)
    read = f"{counted(len(documents.receipts), 'receipt')}, {counted(entries, 'entry')}"
    return f"receipts: {word}: {read} in {counted(baselines, 'baseline')}"


@command.command("list")
@click.argument("gates", nargs=-1, metavar="[GATE]...")
@place_option
def listed(opening: Opening, gates: tuple[str, ...]) -> int:
    """List every write, one a line: digest, verb, what it did to each gate's keys, and why."""
    receipts = _receipts(opening)
    rows = [receipt for receipt in receipts if not gates or any(part.gate in gates for part in receipt.parts)]
    Streams().emit("".join(f"{receipt.digest}  {receipt.verb}: {_summary(receipt)}\n" for receipt in rows))
    return 0


def _receipts(opening: Opening) -> tuple[Receipt, ...]:
    """Return all receipts by digest; raises NotJudged where one cannot be read."""
    config = opening.one()
    documents = read_documents(opening.tree(config), config.documents)
    if documents.faults:
        raise NotJudged(documents.faults)
    return documents.receipts


def _summary(receipt: Receipt) -> str:
    parts = []
    for part in receipt.parts:
        hows = Counter(touch.how.value for touch in part.touches)
        did = ", ".join(f"{number} {how}" for how, number in sorted(hows.items()))
        parts.append(f"{part.gate} ({did})" if did else part.gate)
    return ", ".join(parts) + (f'. "{receipt.reason}"' if receipt.reason else "")


@command.command("show")
@click.argument("digest")
@place_option
def show(opening: Opening, digest: str) -> int:
    """Show one write, key by key, each with its count afterwards. DIGEST may be the beginning of one."""
    found = [receipt for receipt in _receipts(opening) if receipt.digest.startswith(digest.removesuffix(".json"))]
    if len(found) != 1:
        many = f"{len(found)} receipts begin with" if found else "there is no receipt"
        raise UnknownName(Fault("", 0, f"{many} {digest!r}.", "`abutment receipts list` shows them."))
    Streams().emit("".join(f"{line}\n" for line in _shown(found[0])))
    return 0


def _shown(receipt: Receipt) -> Iterator[str]:
    yield f"{receipt.digest}  {receipt.verb}: {_summary(receipt)}"
    yield from (f"with {tool} {version}" for tool, version in receipt.tools)
    yield from (f"supersedes {digest}, of what moved or was recorded again" for digest in receipt.supersedes)
    for change in receipt.documents:
        yield f"{change.path}: {(change.before or 'none')[:12]} -> {(change.after or 'none')[:12]}"
    for part in receipt.parts:
        for touch in part.touches:
            yield f"{part.gate}: {key_text(part.fields, touch.key)}: {touch.count} ({touch.how.value})"
