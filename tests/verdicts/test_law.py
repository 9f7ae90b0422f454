"""Reading the law: both hands, all faults at once, each gate by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from abutment.baselines.law import Law
from abutment.baselines.reading import Documents, read_documents
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.terms import Direction, Terms
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.tree import Entry
from abutment.verdicts.law import law_before_init, law_of, load_law
from tests.baselines.laws import FOLDER, SNAPSHOT, TERMS, World, key, kinds, policy

OTHER = replace(TERMS, gate="other", policy="law/other.toml", baseline="law/other.jsonl")


def world() -> World:
    started = World()
    started.approve("c a d")
    started.init({"c a b": 1, "c a d": 1})
    return started


def faults_of(files: dict[str, bytes]) -> list[str]:
    with pytest.raises(NotJudged) as refusal:
        load_law(MemoryTree(files), TERMS)
    return [fault.line_text() for fault in refusal.value.faults]


def test_both_hands_and_the_receipts_make_the_law() -> None:
    law = world().law()
    assert [approval.key for approval in law.grants.approvals] == [key("c a d")]
    assert [(entry.key, entry.count) for entry in law.grants.recorded] == [(key("c a b"), 1)]
    assert law.grants.levels[key("c a b")].count == 1


def test_without_a_policy_nothing_is_approved() -> None:
    files = world().files
    del files[TERMS.policy]
    assert load_law(MemoryTree(files), TERMS).grants.approvals == ()


def test_a_signature_at_the_head_of_a_policy_is_borne_as_in_a_baseline() -> None:
    files = world().files
    plain = load_law(MemoryTree(files), TERMS).grants
    for document in (TERMS.policy, TERMS.baseline):
        files[document] = b"\xef\xbb\xbf" + files[document]
    assert load_law(MemoryTree(files), TERMS).grants == plain


def test_a_missing_baseline_is_never_an_empty_one() -> None:
    for files in ({}, {"a.py": b""}, {"law/readme.md": b""}):
        assert faults_of(files) == ["law/boundaries.jsonl: the baseline is missing. Run `abutment init boundaries`."]


def test_a_lost_baseline_has_to_be_restored() -> None:
    files = world().files
    del files[TERMS.baseline]
    assert faults_of(files) == [
        "law/boundaries.jsonl: the baseline is missing, though boundaries was recorded before. "
        "Restore it from version control."
    ]


ADDED = b'{"contract": "c", "importer": "a", "imported": "z", "count": 1}\n'


@pytest.mark.parametrize("tombstones", [True, False])
def test_a_line_that_no_write_recorded_grants_nothing(tombstones: bool) -> None:
    started = World(terms=replace(TERMS, tombstones=tombstones))
    started.init({"c a b": 1})
    started.files[TERMS.baseline] += ADDED
    assert kinds(started.judge({"c a b": 1, "c a z": 1})) == {"c a z": "new"}
    (violation,) = started.judge({"c a b": 1, "c a z": 1}).violations
    assert violation.details[-1].endswith("does not count: receipts recorded 0, and a recorded level only falls.")
    assert kinds(started.judge({"c a b": 1})) == {"c a z": "gone"}
    with pytest.raises(NotJudged, match="found 1, granted 0"):
        started.tighten({"c a b": 1, "c a z": 1})


def test_a_hand_written_line_cannot_be_moved_into_the_law() -> None:
    started = World()
    started.init({"c a b": 1})
    started.files[TERMS.baseline] += ADDED.replace(b'"a"', b'"q"')
    with pytest.raises(NotJudged, match="nothing recorded for q"):
        started.move("q", "a", {"c a b": 1, "c a z": 1}, ["a"])


def test_a_snapshot_says_what_its_last_line_says() -> None:
    started = World(terms=SNAPSHOT)
    started.init({"c a b": 1})
    started.files[SNAPSHOT.baseline] += ADDED
    assert kinds(started.judge({"c a b": 1, "c a z": 1})) == {}


def without_receipts(started: World) -> dict[str, bytes]:
    return {path: data for path, data in started.files.items() if path not in started.receipts()}


def test_recorded_debt_without_its_receipts_is_not_judged() -> None:
    started = World()
    started.init({"c a b": 1})
    assert faults_of(without_receipts(started)) == [
        "law/boundaries.jsonl: no receipt tells of this baseline, so that no level holds it. "
        "Restore law/receipts from version control, and see that git does not ignore it."
    ]


def test_a_damaged_receipt_is_the_only_cause() -> None:
    started = World()
    started.init({"c a b": 1})
    (path,) = started.receipts()
    started.files[path] = b"{}"
    assert [text.split(":")[0] for text in faults_of(started.files)] == [path]


@pytest.mark.parametrize("terms", [TERMS, SNAPSHOT])
def test_what_records_no_level_needs_no_receipt(terms: Terms) -> None:
    started = World(terms=terms)
    started.init({"c a b": 1} if terms is SNAPSHOT else {})
    load_law(MemoryTree(without_receipts(started)), terms)


def test_receipts_that_are_no_folder_are_not_judged() -> None:
    started = World()
    started.init({})
    with pytest.raises(NotJudged, match="receipts: there is no such folder"):
        load_law(MemoryTree({**without_receipts(started), "law/receipts": b""}), TERMS)
    with pytest.raises(NotJudged, match="receipts: there is no such folder"):
        load_law(MemoryTree(without_receipts(started), {"law/receipts": "../../elsewhere"}), TERMS)


def test_a_folder_in_a_documents_place_is_not_judged() -> None:
    files = {**world().files, f"{TERMS.policy}/readme": b""}
    del files[TERMS.policy]
    assert faults_of(files) == ["law/boundaries.toml: there is no such file."]


def test_init_may_find_no_baseline_but_no_fault_either() -> None:
    assert law_before_init(read_documents(MemoryTree({}), FOLDER), TERMS).baseline is None
    with pytest.raises(NotJudged, match="no valid TOML"):
        law_before_init(read_documents(MemoryTree({TERMS.policy: "="}), FOLDER), TERMS)


@pytest.mark.parametrize("direction", [Direction.EXACT, Direction.ZERO])
def test_what_people_grant_alone_needs_no_baseline_and_may_have_none(direction: Direction) -> None:
    terms = replace(TERMS, direction=direction)
    assert load_law(MemoryTree({TERMS.policy: policy("c a b")}), terms).baseline is None
    with pytest.raises(NotJudged, match="has no baseline: people grant everything"):
        load_law(MemoryTree(world().files), terms)


def test_all_faults_of_both_documents_and_the_receipts_come_in_one_go() -> None:
    files = world().files
    files[TERMS.baseline] += b"nonsense\n"
    files[TERMS.policy] += b"[[approvals]]\n"
    files["law/receipts/x.json"] = b"{}"
    said = faults_of(files)
    assert {text.split(":")[0] for text in said} == {TERMS.baseline, TERMS.policy, "law/receipts/x.json"}


def test_an_edited_receipt_is_not_judged() -> None:
    files = world().files
    (path,) = (path for path in files if "/receipts/" in path)
    files[path] = files[path].replace(b'"count": 1', b'"count": 9')
    assert "its name is not the digest of its content" in faults_of(files)[0]


def test_a_receipt_with_other_fields_was_written_by_another_version() -> None:
    with pytest.raises(NotJudged, match="by other fields than importer, imported"):
        load_law(MemoryTree(world().files), replace(TERMS, fields=("importer", "imported")))


def test_a_gate_does_not_suffer_from_another_ones_documents() -> None:
    files = {**world().files, OTHER.baseline: b"nonsense", OTHER.policy: b"="}
    documents = read_documents(MemoryTree(files), FOLDER)
    assert law_of(documents, TERMS).grants.recorded
    with pytest.raises(NotJudged):
        law_of(documents, OTHER)


def test_a_folder_may_be_the_project_itself() -> None:
    terms = replace(TERMS, policy="./boundaries.toml", baseline="./boundaries.jsonl")
    files = {path.removeprefix("law/"): data for path, data in world().files.items()}
    tree = _Dotted(files)
    assert load_law(tree, terms).grants.recorded


class _Dotted(MemoryTree):
    """A work tree's way with `./x`."""

    def read(self, path: str) -> bytes:
        return super().read(path.removeprefix("./"))

    def exists(self, path: str) -> bool:
        return super().exists(path.removeprefix("./"))

    def list(self, directory: str) -> tuple[Entry, ...]:
        return super().list(directory.removeprefix("./"))


def test_documents_that_are_no_folder_are_not_judged() -> None:
    with pytest.raises(NotJudged, match="is no folder inside the project"):
        read_documents(MemoryTree({"law": b""}), FOLDER)


class _Unreadable(MemoryTree):
    """One file of it cannot be read."""

    def __init__(self, files: dict[str, bytes], path: str) -> None:
        super().__init__(files)
        self._path = path

    def read(self, path: str) -> bytes:
        if path == self._path:
            raise NotJudged(Fault(path, 0, "the file cannot be read: Permission denied."))
        return super().read(path)


def test_a_document_that_cannot_be_read_stops_its_gate_alone() -> None:
    tree = _Unreadable({**world().files, OTHER.baseline: b""}, OTHER.baseline)
    documents = read_documents(tree, FOLDER)
    assert law_of(documents, TERMS).grants.recorded
    with pytest.raises(NotJudged) as refusal:
        law_of(documents, OTHER)
    assert [fault.message for fault in refusal.value.faults] == ["the file cannot be read: Permission denied."]


def test_a_receipt_that_cannot_be_read_stops_every_gate() -> None:
    files = world().files
    (path,) = (path for path in files if "/receipts/" in path)
    with pytest.raises(NotJudged, match="Permission denied"):
        load_law(_Unreadable(files, path), TERMS)


def test_a_journal_that_cannot_be_read_stops_every_gate() -> None:
    journal = "law/.abutment/journal.json"
    with pytest.raises(NotJudged, match="Permission denied"):
        load_law(_Unreadable({**world().files, journal: b""}, journal), TERMS)


class _Changing(MemoryTree):
    """A tree in which a writer is at work: each version is seen for one reading of the folder."""

    def __init__(self, versions: Sequence[dict[str, bytes]]) -> None:
        super().__init__(versions[-1])
        self._trees = [MemoryTree(files) for files in versions]

    def list(self, directory: str) -> tuple[Entry, ...]:
        found = self._trees[0].list(directory)
        if directory == FOLDER and len(self._trees) > 1:
            self._trees.pop(0)
        return found

    def read(self, path: str) -> bytes:
        return self._trees[0].read(path)

    def exists(self, path: str) -> bool:
        return self._trees[0].exists(path)


def test_a_write_in_the_middle_of_reading_is_seen_whole() -> None:
    old, new = world(), world()
    new.tighten({"c a d": 1})
    half = {**old.files, TERMS.baseline: new.files[TERMS.baseline]}
    law = load_law(_Changing([old.files, half, new.files]), TERMS)
    assert (len(law.grants.recorded), len(law.receipts)) == (0, 2)


def test_documents_that_never_come_to_rest_are_not_judged() -> None:
    versions: list[dict[str, bytes]] = [{"law/a.jsonl": str(number).encode()} for number in range(200)]
    with pytest.raises(NotJudged, match="keep changing"):
        read_documents(_Changing(versions), FOLDER)


class _Finished(MemoryTree):
    """The journal is taken away between the question and the reading."""

    asked = False

    def exists(self, path: str) -> bool:
        first, self.asked = not self.asked, True
        return first if path.endswith("journal.json") else super().exists(path)


def test_a_journal_that_was_just_finished_is_no_fault() -> None:
    assert load_law(_Finished(world().files), TERMS).grants.recorded


def test_documents_of_nothing_are_empty() -> None:
    assert read_documents(MemoryTree({}), FOLDER) == Documents(FOLDER)


def test_documents_are_read_once_for_all_who_ask() -> None:
    documents = read_documents(MemoryTree(world().files), FOLDER)
    law = law_of(documents, TERMS)
    assert law_before_init(documents, TERMS) is law
    assert law_of(documents, replace(TERMS, tombstones=False)) is not law


def test_what_is_wrong_is_told_to_everybody_who_asks() -> None:
    documents = read_documents(MemoryTree({**world().files, TERMS.baseline: b"{}\n"}), FOLDER)
    told = [_told(law_of, documents), _told(law_before_init, documents), _told(law_of, documents)]
    assert told[0] and told == [told[0]] * 3


def test_other_documents_are_read_for_themselves() -> None:
    documents = read_documents(MemoryTree(world().files), FOLDER)
    law = law_of(documents, TERMS)
    others = replace(documents, files={path: data for path, data in documents.files.items() if path != TERMS.policy})
    assert law.grants.approvals
    assert law_of(others, TERMS).grants.approvals == ()


def _told(read: Callable[[Documents, Terms], Law], documents: Documents) -> list[str]:
    with pytest.raises(NotJudged) as refusal:
        read(documents, TERMS)
    return [fault.line_text() for fault in refusal.value.faults]
