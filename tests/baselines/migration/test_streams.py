"""What is asked line by line is answered as if it had been read as a whole; and what that costs does not grow."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.disk import RealDisk
from abutment.baselines.document import render_baseline
from abutment.baselines.migration.documents import FORMATS, Document, Format, Header, rendered
from abutment.baselines.migration.headers import DocumentChange, Done, Side
from abutment.baselines.migration.levels import Levels, Receipts
from abutment.baselines.migration.lines import Digest, packed, packed_pair, unpacked, unpacked_pair
from abutment.baselines.migration.mutation import Mutation
from abutment.baselines.migration.receipt import read_migrations
from abutment.baselines.migration.receipt_lines import ReceiptFile
from abutment.baselines.migration.rewriting import Asked
from abutment.baselines.receipts import (
    How,
    Part,
    Receipt,
    Touch,
    document_digest,
    levels,
    read_receipts,
    render_receipt,
)
from abutment.baselines.streaming import streamed_digest
from abutment.errors import NotJudged
from abutment.model.identity import Key
from abutment.model.reading import Faults
from abutment.sources.scratch import Spool, sorted_lines
from tests.baselines.laws import FOLDER, TERMS
from tests.baselines.migrating import apply, folder_of, plan, record, verify

PROJECT = Path(__file__).parents[3]
LETTERS = st.text(st.characters(exclude_categories=["Cc"], exclude_characters="\x7f"), max_size=4)
KEYS = st.tuples(LETTERS, LETTERS)


@given(st.lists(KEYS))
def test_packed_lines_sort_as_the_identities_do(keys: list[Key]) -> None:
    assert [unpacked(line)[0] for line in sorted(packed(key, "7") for key in keys)] == sorted(keys)


@given(KEYS, KEYS, LETTERS)
def test_what_is_packed_is_unpacked(one: Key, other: Key, value: str) -> None:
    assert unpacked(packed(one, value)) == (one, value)
    assert unpacked_pair(packed_pair(one, other, value)) == (one, other, value)


@given(st.lists(st.binary(max_size=3).map(lambda data: data.replace(b"\n", b"")), max_size=200), st.integers(1, 9))
@settings(deadline=None)
def test_lines_come_sorted_however_few_fit_into_memory(lines: list[bytes], run: int) -> None:
    assert list(sorted_lines(lines, run)) == sorted(lines)


def test_a_spool_is_read_by_two_at_once_and_written_between() -> None:
    with Spool() as spool:
        spool.put(b"%d" % number for number in range(700))
        assert [one == other for one, other in zip(spool, spool, strict=True)] == [True] * 700
        spool.put([b"last"])
        assert (list(spool)[-2:], spool.count) == ([b"699", b"last"], 701)


@pytest.mark.parametrize("data", [b"a\nb\n", b"\xef\xbb\xbfa\r\nb\r\n", b"a\nb", b"", b"\r\r\n", b"\n\n"])
def test_a_document_has_one_digest_however_it_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert streamed_digest(RealDisk(), tmp_path / "x") == document_digest(data)
    assert streamed_digest(RealDisk(), tmp_path / "y") is None


# ---- levels


DIGESTS = [f"{number:032x}" for number in range(3)]
NAMES = st.sampled_from(["app.ü", "app.\ud800"])
TOUCHES = st.builds(Touch, st.tuples(st.just("c"), NAMES, NAMES), st.integers(0, 3), st.sampled_from(list(How)))
TWO_FIELDS = st.builds(Touch, st.tuples(NAMES, NAMES), st.integers(0, 3), st.sampled_from(list(How)))


def parts(
    gate: str, fields: tuple[str, ...], touches: st.SearchStrategy[Touch], least: int = 0
) -> st.SearchStrategy[Part]:
    unique = st.lists(touches, max_size=4, min_size=least, unique_by=lambda touch: touch.key).map(
        lambda them: tuple(sorted(them))
    )
    conditions = st.sampled_from([(), (("mypy", "1.2"),)])
    return st.builds(Part, st.just(gate), st.just(fields), unique, st.sampled_from([(), ("c", "d")]), conditions)


WRITES = st.builds(
    lambda verb, reason, shares, tools: Receipt(verb, (), tuple(shares), tools, reason),
    st.sampled_from(["init", "move"]),
    st.sampled_from(["", 'A "new"\nreason.', "ends ]}]"]),
    st.tuples(parts("boundaries", TERMS.fields, TOUCHES, 1), parts("cycles", ("a", "b"), TWO_FIELDS))
    | st.tuples(parts("boundaries", TERMS.fields, TOUCHES, 1))
    | st.just(()),
    st.sampled_from([(), (("abutment", "1"),)]),
)


def chained(receipts: list[Receipt], seen: list[list[int]]) -> list[Receipt]:
    """Return the receipts, each superseding some of those before it."""
    done: list[Receipt] = []
    for receipt, numbers in zip(receipts, seen, strict=False):
        digests = sorted({done[number % len(done)].digest for number in numbers}) if done else []
        done.append(replace(receipt, supersedes=tuple(digests)))
    return done


def migration(receipts: list[Receipt], pairs: list[tuple[Key, Key, int]], renews: bool) -> Done:
    side = Side(1, TERMS.fields, "0" * 64, "0" * 64, 0)
    before = replace(side, fields=("x", *TERMS.fields[1:])) if renews else side
    change = DocumentChange("boundaries.jsonl", "boundaries", before, side, len(pairs), covers=("m",))
    seen = tuple(sorted(receipt.place for receipt in receipts))
    digest = Digest()
    for line in mutations(pairs):
        digest.add(line)
    return Done("1.0", "0" * 64, (change,), seen, "0" * 64, digest.hex, "0" * 64, len(pairs))


def mutations(pairs: list[tuple[Key, Key, int]]) -> list[bytes]:
    ordered = sorted(pairs)
    return [Mutation(at, "boundaries.jsonl", old, new, count).line for at, (old, new, count) in enumerate(ordered)]


MOVES = st.lists(
    st.tuples(st.tuples(st.just("c"), NAMES, NAMES), st.tuples(st.just("d"), NAMES, NAMES), st.integers(1, 3)),
    max_size=4,
    unique_by=lambda move: move[0],
)


@given(
    st.lists(WRITES, min_size=2, max_size=4, unique_by=lambda each: each.digest),
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=4, max_size=4),
    MOVES,
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_levels_are_the_same_whether_receipts_are_streamed_or_held(
    tmp_path_factory: pytest.TempPathFactory,
    writes: list[Receipt],
    seen: list[list[int]],
    moves: list[tuple[Key, Key, int]],
    renews: bool,
) -> None:
    folder = tmp_path_factory.mktemp("law")
    written = chained(writes, seen)
    files = {f"{FOLDER}/{receipt.place}": render_receipt(receipt) for receipt in written}
    done = migration(written, moves, renews)
    files[f"{FOLDER}/migrations/{done.file_name}"] = b"\n".join([done.line, *mutations(moves), b""])
    for path, data in files.items():
        place = folder / path.removeprefix(f"{FOLDER}/")
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
    faults = Faults()
    held = (
        *read_receipts({path: data for path, data in files.items() if path.endswith(".json")}, faults).values(),
        *read_migrations({path: data for path, data in files.items() if path.endswith(".jsonl")}, faults).values(),
    )
    assert not faults.found
    streamed = Levels(Receipts(RealDisk(), folder, FOLDER), "boundaries")
    found = dict(map(unpacked, streamed.lines()))
    expected = levels(held, "boundaries")
    assert found == {key: f"{level.count}{' paid' if level.paid_off else ''}" for key, level in expected.items()}
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b'"count": 1', b'"count": 2', "its name is not the digest of its content"),
        (b'"verb": "init"', b'"verb": "move"', "its name is not the digest of its content"),
        (b'"how": "recorded"', b'"how": "guessed"', "is not laid out as abutment writes it"),
        (b'"count": 1', b'"count": true', "is not laid out as abutment writes it"),
        (b'"count": 1', b'"count": 1, "more": 1', "is not laid out as abutment writes it"),
        (b"\n", b"", "is not laid out as abutment writes it"),
        (b"]}]", b"", "is not laid out as abutment writes it"),
        (b"\n}\n", b"\n}\n{}\n", "is not laid out as abutment writes it"),
    ],
)
def test_a_receipt_that_was_edited_is_not_read(tmp_path: Path, before: bytes, after: bytes, message: str) -> None:
    root = record(tmp_path, {"c app.a app.b": 1, "c app.b app.c": 3})
    (place,) = (root / FOLDER / "receipts").iterdir()
    assert before in place.read_bytes()
    place.write_bytes(place.read_bytes().replace(before, after, 1))
    with pytest.raises(NotJudged, match=message):
        list(ReceiptFile(RealDisk(), place, "receipt").read("boundaries"))


# ---- documents


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: has no header that can be read"),
        ("{}\n", "has no header of a baseline of that name"),
        ('{"schema": 1, "gate": "cycles", "fields": ["a"]}\n', "has no header of a baseline of that name"),
        ('{"schema": 9, "gate": "boundaries", "fields": ["a"]}\n', "its schema 9 is not known here"),
        ('{"schema": 1, "gate": "boundaries", "fields": ["a"], "more": 1}\n', "has no header of a baseline"),
        ('{"schema": true, "gate": "boundaries", "fields": ["a"]}\n', "has no header of a baseline"),
        ('{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n\n', "2: the line is no JSON"),
        (
            '{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "x"}\n',
            "2: the line has not exactly the fields",
        ),
        ('{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "x", "count": 0}\n', "2: the line has a field"),
        (
            '{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "x", "count": true}\n',
            "2: the line has a field",
        ),
        ('{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": 1, "count": 1}\n', "2: the line has a field"),
        (
            '{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "x", "count": 1}\n{"a": "x", "count": 1}\n',
            "3: is the entry above it again. `abutment tighten boundaries` puts it in order.",
        ),
        (
            '{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "y", "count": 1}\n{"a": "x", "count": 1}\n',
            "3: stands behind an entry that sorts after it",
        ),
        ('{"schema": 1, "gate": "boundaries", "fields": ["a"]}\n{"a": "\\u0000", "count": 1}\n', "a control character"),
    ],
)
def test_a_baseline_that_is_not_understood_is_not_migrated(tmp_path: Path, text: str, message: str) -> None:
    place = tmp_path / "boundaries.jsonl"
    place.write_text(text)
    with pytest.raises(NotJudged) as refusal:
        list(Document(RealDisk(), place, "boundaries.jsonl").entries())
    assert message in str(refusal.value)


def test_a_baseline_is_written_as_every_verb_writes_it() -> None:
    counts: dict[Key, int] = {("c", "app.ü", "app.\udcff"): 2, ("c", "app.a", "app.b"): 1}
    header = Header(1, "boundaries", TERMS.fields, (("mypy", "1.2"),))
    lines = rendered(header, sorted(counts.items()), FORMATS)
    assert b"".join(line + b"\n" for line in lines) == render_baseline(TERMS, counts, {"mypy": "1.2"})


def _read_second(text: str, _fields: object) -> tuple[Key, int]:
    *key, count = text.split(" ")
    return tuple(key), int(count)


def _write_second(_fields: object, key: Key, count: int) -> str:
    return " ".join((*key, str(count)))


def test_documents_of_another_schema_are_written_in_the_newest(tmp_path: Path) -> None:
    formats = (*FORMATS, Format(2, _read_second, _write_second))
    root = record(tmp_path, {"c app.a app.b": 1, "c app.b app.c": 3})
    file = plan(root, Asked(), formats=formats)
    (change,) = file.plan.documents
    assert (change.before.schema, change.after.schema, file.plan.count) == (1, 2, 0)
    assert verify(root, file, formats=formats) == "ready"
    assert apply(root, file, formats=formats).word == "applied"
    assert (root / TERMS.baseline).read_text().splitlines()[1:] == ["c app.a app.b 1", "c app.b app.c 3"]
    assert apply(root, file, formats=formats).word == "existing"
    with pytest.raises(NotJudged, match="schema 2 is not known here"):
        folder_of(root).document("boundaries.jsonl").header()


# ---- memory


# What the system keeps of a process's most memory; `getrusage` would tell of the process before it, too.
STATUS = Path("/proc/self/status")
MEASURED = """
import sys
from pathlib import Path
from tests.baselines.migration.large import {step}

{step}(Path(sys.argv[1]))
print(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")).split()[1])
"""


def peak(root: Path, step: str) -> int:
    """Return the most memory, in KiB, that a process took for one step."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT / "src"), str(PROJECT)])}
    ended = subprocess.run(
        [sys.executable, "-c", MEASURED.format(step=step), str(root)], env=environment, capture_output=True, check=True
    )
    return int(ended.stdout.split()[-1])


MOST_KIB = 4 * 1024  # what sorting five thousand lines at once takes, and some


def held(small: Path, large: Path, entries: tuple[int, int]) -> None:
    from tests.baselines.migration.large import build

    build(small, 500, 2_500)
    build(large, *entries)
    for step in ("planned", "verified", "applied", "verified_again"):
        grown = peak(large, step) - peak(small, step)
        assert grown < MOST_KIB, f"{step} took {grown} KiB more"
    assert (large / FOLDER / "boundaries.jsonl").read_bytes().count(b"app.new.") == entries[1]


@pytest.mark.skipif(not STATUS.exists(), reason="the system tells of no such figure")
def test_memory_does_not_grow_with_the_entries(tmp_path: Path) -> None:
    """A tenth of what a migration may hold; `make evidence` has the whole."""
    held(tmp_path / "small", tmp_path / "large", (10_000, 50_000))


@pytest.mark.evidence
@pytest.mark.skipif(not STATUS.exists(), reason="the system tells of no such figure")
def test_memory_does_not_grow_up_to_the_most_that_a_migration_may_hold(tmp_path: Path) -> None:
    held(tmp_path / "small", tmp_path / "large", (100_000, 500_000))
