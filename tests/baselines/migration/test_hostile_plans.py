"""A plan that somebody made by hand and approved harms nothing: it is refused as a whole, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abutment.baselines.disk import RealDisk
from abutment.baselines.migration.applying import apply_migration
from abutment.baselines.migration.headers import DocumentChange, Pairs, Plan, Side, read_plan_line
from abutment.baselines.migration.lines import Digest
from abutment.baselines.migration.mutation import Mutation
from abutment.baselines.migration.plan_file import PlanFile, read_plan
from abutment.errors import NotJudged
from abutment.model.identity import Key
from tests.baselines.laws import FOLDER
from tests.baselines.migrating import VERSION, apply, contents, folder_of, plan, record, renames, verify

OF_NOTHING = Digest().hex


def forged(gate: str = "other", fields: tuple[str, ...] = ("f",), policies: Pairs = (), after: Key = ("v",)) -> Plan:
    """Return the header of a plan that records one entry of a gate that has nothing recorded yet."""
    mutations = Digest()
    mutations.add(Mutation(0, f"{gate}.jsonl", None, after, 1).line)
    before = Side(1, fields, "", OF_NOTHING, 0)
    change = DocumentChange(f"{gate}.jsonl", gate, before, Side(1, fields, "0" * 64, "0" * 64, 1), 1)
    return Plan(VERSION, (change,), (), policies, (), "0" * 64, mutations.hex, "0" * 64, 1)


@pytest.mark.parametrize("gate", ["a/b", "a\\b", "a:b", "a\0b", "a\nb", "..", ".", "x" * 300, "\ud800", "..\\a"])
def test_a_plan_of_what_can_be_no_gate_is_refused(gate: str) -> None:
    with pytest.raises(NotJudged, match="is no baseline of"):
        read_plan_line("plan.jsonl", forged(gate).line)
    with pytest.raises(NotJudged, match="is no policy of a gate"):
        read_plan_line("plan.jsonl", forged(policies=((f"{gate}.toml", ""),)).line)


def test_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(NotJudged, match=r"'boundaries\.jsonl' is no policy of a gate"):
        read_plan_line("plan.jsonl", forged(policies=(("boundaries.jsonl", ""),)).line)


def test_a_document_that_is_named_twice_is_refused() -> None:
    made = forged()
    with pytest.raises(NotJudged, match="documents: are not in order, each once"):
        read_plan_line("plan.jsonl", replace(made, documents=made.documents * 2).line)


@pytest.mark.parametrize(
    ("fields", "told"), [((), "nothing"), (("a", "a"), "a, a"), (("count",), "count"), (("a", "count"), "a, count")]
)
def test_fields_that_tell_nothing_apart_are_refused(fields: tuple[str, ...], told: str) -> None:
    with pytest.raises(NotJudged, match=f"after.fields: {told} cannot tell entries apart"):
        read_plan_line("plan.jsonl", forged(fields=fields).line)


@pytest.mark.parametrize("after", [("v",), ("v", "w", "x")])
def test_an_identity_with_other_parts_than_its_document_has_fields_is_refused(root: Path, after: Key) -> None:
    made = forged(fields=("one", "two"), after=after)
    line = Mutation(0, "other.jsonl", None, after, 1).line
    seen = replace(made, receipts=folder_of(root).receipts.names())
    file = PlanFile("plan.jsonl", seen, lambda: iter([line]))
    for attempt in (verify, apply):
        with pytest.raises(NotJudged, match="has not one part for each field of the document"):
            attempt(root, file)


DEBT = {"c app.old.a app.db": 2, "c app.old.b app.db": 1, "c app.web app.db": 3}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return record(tmp_path / "project", DEBT)


def test_a_plan_that_ends_anywhere_is_not_applied(root: Path) -> None:
    plan(root, renames("app.old app.new"))
    whole = (root / "plan.jsonl").read_bytes()
    before = contents(root)
    for end in range(len(whole) - 1):  # the last byte ends the last line, and says nothing
        (root / "plan.jsonl").write_bytes(whole[:end])
        with pytest.raises(NotJudged):
            apply(root, read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl"))
    (root / "plan.jsonl").write_bytes(whole)
    assert contents(root) == before
    assert apply(root, read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl")).word == "applied"


def in_header(edit: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def edited(data: bytes) -> bytes:
        head, _, rest = data.partition(b"\n")
        header = json.loads(head)
        edit(header)
        return json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + b"\n" + rest

    return edited


def swap(header: dict[str, Any]) -> None:
    header["old"], header["new"] = header["new"], header["old"]


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data + b"\n",
        lambda data: data + b"\0",
        lambda data: data + b"x" * 3_000_000,
        lambda data: data.replace(b'"count": 2', b'"count": 2, "count": 2'),
        lambda data: data.replace(b'"ordinal": 0', b'"ordinal": 0.0'),
        lambda data: data.replace(b'"ordinal": 0', b'"ordinal": ' + b"9" * 5000),
        lambda data: data.replace(b"app.new.a", b"app.new.\xe9"),
        lambda data: data.replace(b"app.new.a", b"app.new.\\ud800"),
        lambda data: data.replace(b'["c", "app.new.a"', b"[" * 50_000),
        lambda data: data.replace(b'{"ordinal"', b'{ "ordinal"'),
        in_header(swap),
        in_header(lambda header: header.update(more=1)),
        in_header(lambda header: header.update(schema=2)),
        in_header(lambda header: header.update(receipts=[])),
        in_header(lambda header: header["documents"].append(header["documents"][0])),
        in_header(lambda header: header["documents"].clear()),
    ],
)
def test_a_plan_that_was_touched_is_not_applied(root: Path, edit: Callable[[bytes], bytes]) -> None:
    approved = plan(root, renames("app.old app.new")).plan.digest
    place = root / "plan.jsonl"
    whole = place.read_bytes()
    assert edit(whole) != whole
    place.write_bytes(edit(whole))
    before = contents(root)
    with pytest.raises(NotJudged):
        apply_migration(root, FOLDER, lambda: read_plan(RealDisk(), place, "plan.jsonl"), approved, VERSION)
    assert contents(root) == before


def of_document(**changes: object) -> Callable[[Plan], Plan]:
    def edited(made: Plan) -> Plan:
        (change,) = made.documents
        return replace(made, documents=(replace(change, **changes),))  # type: ignore[arg-type]

    return edited


def of_side(which: str, **changes: object) -> Callable[[Plan], Plan]:
    def edited(made: Plan) -> Plan:
        (change,) = made.documents
        side = replace(getattr(change, which), **changes)
        return of_document(**{which: side})(made)

    return edited


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda made: replace(made, old="0" * 64), "the entries before are not those that were planned"),
        (lambda made: replace(made, new="0" * 64), "the entries after are not those that were planned"),
        (of_side("before", items="0" * 64), "what its entries were is not as planned"),
        (of_side("after", items="0" * 64), "what its entries become is not as planned"),
        (of_side("after", digest="0" * 64), "what it becomes is not as planned"),
        (of_side("before", entries=9), "the number of its entries before is not as planned: 3, not 9"),
        (of_side("after", entries=9), "the number of its entries after is not as planned: 3, not 9"),
        (of_side("before", digest="0" * 64), "was changed after the plan was made"),
        (of_side("before", schema=7), "its header is not the one that was planned upon"),
        (of_side("before", fields=("a", "b", "c")), "its header is not the one that was planned upon"),
        (of_document(conditions=(("mypy", "1"),)), "its header is not the one that was planned upon"),
        (of_document(mutations=9), "the number of its mutations is not as planned: 2, not 9"),
        (lambda made: replace(made, mutations="0" * 64), "its mutations are not those of which its header holds"),
        (lambda made: replace(made, count=9), "holds 2 mutations, and its header says 9"),
        (lambda made: replace(made, documents=()), "its header does not name this document"),
    ],
)
def test_each_figure_of_a_header_is_held_against_the_documents(
    root: Path, edit: Callable[[Plan], Plan], message: str
) -> None:
    file = plan(root, renames("app.old app.new"))
    false = replace(file, plan=edit(file.plan))
    before = contents(root)
    for attempt in (verify, apply):
        with pytest.raises(NotJudged, match=message):
            attempt(root, false)
    assert contents(root) == before
