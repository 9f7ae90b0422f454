"""What stays of a migration? `migrations/<digest>.jsonl`: a header, then the mutations as they were approved.

To whoever asks how low a debt was recorded it is a receipt like the others: what was moved has the level that it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from abutment.baselines.document_bytes import conflict_line, plain
from abutment.baselines.migration.headers import VERB, DocumentChange, Done, read_done_line
from abutment.baselines.migration.lines import Digest
from abutment.baselines.migration.mutation import Mutation, read_mutations
from abutment.baselines.receipts import NOTHING_KNOWN, How, Known, Part, Receipt, Touch
from abutment.baselines.receipts import DocumentChange as Written
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.reading import Faults

FOLDER = "migrations"
_RESTORE = "Receipts are never edited: restore it from version control."


def read_done(path: str, lines: Iterator[bytes]) -> tuple[Done, Iterator[Mutation]]:
    """Return a receipt's header and its mutations, which are read as they are asked for.

    Raises NotJudged at the first thing that is not as it was written; what is missing is told at the end.
    """
    done = read_done_line(path, next(lines, b""))
    return done, whole_stream(path, lines, done.mutations, done.count, _RESTORE)


def whole_stream(path: str, lines: Iterable[bytes], digest: str, count: int, remedy: str) -> Iterator[Mutation]:
    """Yield the mutations of a stream; raises NotJudged also where it is not the one of this digest."""
    found = Digest()
    yield from read_mutations(path, found.passing(lines))
    if found.count != count:
        raise NotJudged(Fault(path, 0, f"holds {found.count} mutations, and its header says {count}.", remedy))
    if found.hex != digest:
        raise NotJudged(Fault(path, 0, "its mutations are not those of which its header holds the digest.", remedy))


def read_migrations(files: Mapping[str, bytes], faults: Faults, known: Known = NOTHING_KNOWN) -> dict[str, Receipt]:
    """Return the migrations in these files (path -> bytes) by path, sorted; what is wrong goes into `faults`.

    What is `known` of a path and its bytes is taken as it is.
    """
    found: dict[str, Receipt] = {}
    for path in sorted(files):
        try:
            found[path] = known.get((path, files[path])) or _receipt(path, files[path])
        except NotJudged as refusal:
            faults.found += refusal.faults
    return found


def _receipt(path: str, data: bytes) -> Receipt:
    marker = conflict_line(data)
    if marker:
        raise NotJudged(Fault(path, marker, "holds merge conflict markers.", _RESTORE))
    done, mutations = read_done(path, iter(plain(data).removesuffix(b"\n").split(b"\n")))
    folder = path.rpartition(f"/{FOLDER}/")[0]
    touches: dict[str, list[Mutation]] = {change.name: [] for change in done.documents}
    for mutation in mutations:
        if mutation.document not in touches:
            raise NotJudged(Fault(path, mutation.ordinal + 2, f"{mutation.says}: its header names no such document."))
        touches[mutation.document].append(mutation)
    return Receipt(
        verb=VERB,
        documents=tuple(_written(folder, change) for change in done.documents),
        parts=tuple(_part(change, touches[change.name]) for change in done.documents),
        tools=(("abutment", done.abutment),),
        supersedes=superseded_digests(done),
        kept_as=f"{FOLDER}/{done.file_name}",
    )


def superseded_digests(done: Done) -> tuple[str, ...]:
    """Return the digests of the receipts that a migration has seen."""
    return tuple(sorted(name.rpartition("/")[2].partition(".")[0] for name in done.supersedes))


def _written(folder: str, change: DocumentChange) -> Written:
    return Written(f"{folder}/{change.name}", change.before.digest or None, change.after.digest)


def _part(change: DocumentChange, mutations: Sequence[Mutation]) -> Part:
    return Part(
        gate=change.gate,
        fields=change.after.fields,
        touches=tuple(sorted(touches_of(mutations, change.renews))),
        covers=change.covers,
        conditions=change.conditions,
        moves=tuple((each.before, each.after) for each in mutations if each.before is not None and each.count),
        renews=change.renews,
    )


def touches_of(mutations: Iterable[Mutation], renews: bool) -> Iterator[Touch]:
    """Yield what a migration says of each key; that of several that became one is their sum."""
    counts: dict[Key, int] = {}
    hows: dict[Key, How] = {}
    for key, count, how in chain.from_iterable(sayings(mutation, renews=renews) for mutation in mutations):
        counts[key] = counts.get(key, 0) + count
        hows[key] = how
    return (Touch(key, counts[key], hows[key]) for key in counts)


def sayings(mutation: Mutation, *, renews: bool) -> Iterator[tuple[Key, int, How]]:
    """Yield what one mutation says of the keys.

    Where the identities have other fields now (`renews`) nothing is said of the old one: what spoke of it is silent.
    """
    if mutation.count == 0:
        yield mutation.after, 0, How.PAID
    elif mutation.before is None:
        yield mutation.after, mutation.count, How.RECORDED
    else:
        if not renews:
            yield mutation.before, 0, How.MOVED
        yield mutation.after, mutation.count, How.MOVED
