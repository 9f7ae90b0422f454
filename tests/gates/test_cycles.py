from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.errors import NotJudged
from abutment.gates.cycles import GATE, label_components, suggest_hold
from abutment.model.grants import Approval, Grants, Recorded
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.model.violation import Violation
from abutment.semantics.program import Program
from abutment.verdicts.judge import judge
from tests.programs import program
from tests.settings import settings_of

BOUNDED = settings(max_examples=100, derandomize=True, deadline=None)
RINGS = ("a -> b", "b -> a", "b -> c", "c -> b", "e -> f", "f -> e", "d -> a", "e -> a")


def measured(found: Program, grants: Grants | None = None, /, **table: object) -> Measurement:
    return GATE.measure(found, settings_of(GATE, table), grants or Grants())


def granted(keys: Iterable[Key]) -> Grants:
    return Grants(recorded=tuple(Recorded(key, 1, line) for line, key in enumerate(sorted(keys), 2)))


def keys(found: Program, grants: Grants | None = None, /, **table: object) -> list[str]:
    return [" ".join(key) for key in measured(found, grants, **table).counts]


def differences(before: Iterable[str], after: Iterable[str], **table: object) -> list[str]:
    """Return what a run says of a codebase whose cycles were recorded as they were before."""
    grants = granted(measured(program(*before), **table).counts)
    verdict = judge(GATE.terms("law"), measured(program(*after), grants, **table), grants, date(2027, 1, 1))
    return [f"{v.kind} {' '.join(value for _field, value in v.identity)}" for v in verdict.violations]


# What is a cycle


def test_the_keys_are_the_edges_inside_components() -> None:
    assert keys(program(*RINGS)) == [
        "import a b", "import b a", "import b c", "import c b", "import e f", "import f e",
    ]  # fmt: skip


@given(st.permutations([f"{text} @{line}" for line, text in enumerate(RINGS, 1)]))
@settings(max_examples=30, derandomize=True, deadline=None)
def test_the_order_of_files_changes_nothing(texts: list[str]) -> None:
    one, other = measured(program(*sorted(texts))), measured(program(*texts))
    assert list(one.counts) == list(other.counts)
    assert one.notes == other.notes


@pytest.mark.parametrize(
    ("text", "is_cycle"),
    [
        ("b -> a", True),
        ("b ?-> a", True),
        ("b *-> a", True),
        ("b %-> a", True),
        ("b ~> a", False),
        ("b :> a", False),
    ],
)
def test_what_closes_an_import_cycle(text: str, is_cycle: bool) -> None:
    assert bool(keys(program("a -> b", text))) is is_cycle


def test_a_cycle_for_the_type_checker_alone_fails_in_no_reading() -> None:
    yarn = program("spool -> thread", "thread :> spool", "dye :> vat", "vat :> dye", "knit -> purl", "purl -> knit")
    assert keys(yarn, deferred=True) == [
        "import knit purl", "import purl knit", "deferred knit purl", "deferred purl knit",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parents", "found"),
    [
        ("own", []),
        ("none", []),
        ("shared", ["import p.q p.q.x", "import p.q.x p.q"]),  # p is the top package, which is never counted
    ],
)
def test_a_package_that_runs_on_the_way_to_its_own_module(parents: str, found: list[str]) -> None:
    texts = ("p.q -> p.q.x @1", "p.q.x -> p.q.y @1", "p.q.x ^-> p.q @1", "p.q.x ^-> p @1", "p -> p.q @1")
    assert keys(program(*texts), parents=parents) == found


@pytest.mark.parametrize(("parents", "found"), [("own", 2), ("shared", 2), ("none", 0)])
def test_a_package_that_runs_on_the_way_to_another(parents: str, found: int) -> None:
    assert len(keys(program("a.x -> lib.leaf @1", "a.x ^-> lib @1", "lib -> a.x"), parents=parents)) == found


# What changes


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("c -> a", ["new import c a"]),  # a new edge inside
        ("c -> free", []),  # a one-way edge out
        ("free -> a", []),
        ("b -> a @50", []),  # a second statement of an edge
        ("b -> a @1", []),
        ("d -> e", []),
        ("a -> d", ["new import a d", "new import d a"]),  # a new member
    ],
)
def test_a_component_gains_no_edge_and_no_member(added: str, said: list[str]) -> None:
    assert differences((*RINGS, "free"), (*RINGS, "free", added)) == said


def test_a_component_may_shrink_and_split() -> None:
    after = [text for text in RINGS if text != "c -> b"]
    assert differences(RINGS, after) == ["gone import b c", "gone import c b"]
    four = ("a -> b", "b -> a", "c -> d", "d -> c", "b -> c", "d -> a")
    assert differences(four, four[:5]) == ["gone import b c", "gone import d a"]


def test_two_components_that_become_one_have_new_edges() -> None:
    assert differences(RINGS, (*RINGS, "a -> e")) == ["new import a e", "new import e a"]


@pytest.mark.parametrize("deferred", [False, True])
def test_making_an_import_lazy_is_never_new(deferred: bool) -> None:
    after = ["b ~> a" if text == "b -> a" else text for text in RINGS]
    said = differences(RINGS, after, deferred=deferred)
    assert said == ["gone import a b", "gone import b a"]


@BOUNDED
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from(["->", "~>"])), max_size=25), st.data())
def test_no_lazy_import_is_ever_new_where_both_readings_are_judged(
    edges: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    lazy = data.draw(st.sets(st.sampled_from(range(len(edges))))) if edges else set[int]()
    before = [f"m{a} {arrow} m{b} @{at + 1}" for at, (a, b, arrow) in enumerate(edges)]
    after = [f"m{a} {'~>' if at in lazy else arrow} m{b} @{at + 1}" for at, (a, b, arrow) in enumerate(edges)]
    assert not [line for line in differences([*before, "z"], [*after, "z"], deferred=True) if line.startswith("new")]


@pytest.mark.parametrize("hold", ["edges", "members"])
@pytest.mark.parametrize("deferred", [False, True])
def test_what_was_recorded_is_held(hold: str, deferred: bool) -> None:
    texts = (*RINGS, "c ~> d", "d ~> f")
    assert differences(texts, texts, hold=hold, deferred=deferred) == []


# The deferred reading


def test_deferred_cycles_are_noted_apart_and_judged_on_request() -> None:
    found = program("a -> b", "b ~> a", "x -> y", "y -> x")
    assert keys(found) == ["import x y", "import y x"]
    (_held, beside) = measured(found).notes
    assert beside == (
        "with deferred imports counted (not judged unless `deferred = true`): import cycle of 2 modules: a, b."
    )
    assert measured(found).beside == (
        "1 cycle of 2 modules with imports inside functions (`deferred = true` in [tool.abutment.cycles] judges them)"
    )
    judged = measured(found, deferred=True)
    assert judged.beside == ""
    assert [" ".join(key) for key in judged.counts if key[0] == "deferred"] == [
        "deferred a b", "deferred b a", "deferred x y", "deferred y x",
    ]  # fmt: skip
    assert "judged as well" in judged.notes[1]
    evidence = judged.describe(("deferred", "b", "a"))
    assert evidence.rule == "ABT202"
    assert "inside the function" not in evidence.remedy


def test_a_reading_that_is_not_judged_is_still_described() -> None:
    evidence = measured(program("a -> b", "b ~> a")).describe(("deferred", "a", "b"))
    assert (evidence.rule, evidence.what, evidence.sites) == ("ABT202", "a imports b inside an import cycle", ())


# Held by members


def test_held_by_members_only_a_new_member_is_new() -> None:
    assert differences(RINGS, (*RINGS, "c -> a"), hold="members") == []
    assert differences(RINGS, (*RINGS, "a -> d"), hold="members") == ["new members a d"]


def test_a_member_that_leaves_is_gone_and_the_label_stays() -> None:
    without_a = [text for text in RINGS if text not in ("a -> b", "b -> a")]
    assert differences(RINGS, without_a, hold="members") == ["gone members a a"]


def test_a_split_has_no_new_members_in_either_half() -> None:
    four = ("a -> b", "b -> a", "c -> d", "d -> c", "b -> c", "d -> a")
    assert differences(four, four[:5], hold="members") == []


def test_a_merger_is_new_for_the_smaller_part() -> None:
    assert differences(RINGS, (*RINGS, "a -> e"), hold="members") == [
        "new members a e", "new members a f", "gone members e e", "gone members e f",
    ]  # fmt: skip


def test_members_of_both_readings_are_apart() -> None:
    assert keys(program("a -> b", "b -> a", "b ~> c", "c -> a"), hold="members", deferred=True) == [
        "members a a", "members a b", "deferred-members a a", "deferred-members a b", "deferred-members a c",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("components", "recorded", "labels"),
    [
        ([["a", "b"]], {}, ("a",)),
        ([["a", "b"]], {"z": ["b", "z"]}, ("z",)),
        ([["a", "b", "c"]], {"x": ["c"], "y": ["a", "b"]}, ("y",)),  # the larger share
        ([["a", "b"]], {"y": ["b"], "x": ["a"]}, ("x",)),  # of equal shares the first by name
        ([["a", "b"], ["c", "d"]], {"x": ["a", "b", "c", "d"]}, ("x", "x")),  # a split
        ([["a", "b"]], {"a": ["c", "d"]}, ("b",)),  # a stranger's label is no name for it
        ([["a", "b"]], {"a": ["c", "d"], "b": ["e"]}, ("a+",)),
        ([["a", "b"]], {"a": ["c", "d"], "b": ["e"], "a+": ["f"]}, ("a++",)),
    ],
)
def test_labels(components: list[list[str]], recorded: dict[str, list[str]], labels: tuple[str, ...]) -> None:
    assert label_components(components, recorded) == labels


def test_an_approved_member_counts_for_the_label() -> None:
    approval = Approval(
        ("members", "old", "b"), 1, "debt", "ann", "why", "X-1", None, None, False, Site("law/cycles.toml", 3)
    )
    assert keys(program(*RINGS), Grants(approvals=(approval,)), hold="members")[0] == "members old a"


@BOUNDED
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40), st.data())
def test_taking_imports_away_is_never_new(edges: list[tuple[int, int]], data: st.DataObject) -> None:
    hold = data.draw(st.sampled_from(["edges", "members"]))
    kept = [edge for edge in edges if data.draw(st.booleans())]
    before, after = ([f"m{a} -> m{b}" for a, b in which] + ["z"] for which in (edges, kept))
    assert not [line for line in differences(before, after, hold=hold) if not line.startswith("gone")]


# What is said


def test_the_evidence_names_the_statements_the_way_round_and_the_cut() -> None:
    found = measured(program("a -> b @3", "a ~> b @9", "a -> b @7", "b -> c", "c -> a"))
    evidence = found.describe(("import", "a", "b"))
    assert (evidence.rule, evidence.what) == ("ABT201", "a imports b inside an import cycle")
    assert [site.place() for site in evidence.sites] == ["a.py:3", "a.py:7"]
    assert evidence.details == (
        "the way round: b imports c (b.py:1)",
        "the way round: c imports a (c.py:1)",
        "remove any one of these 3 imports and the cycle is gone: "
        "a imports b (a.py:3 and 1 more), b imports c (b.py:1), c imports a (c.py:1)",
        "import cycle of 3 modules: a, b, c",
    )
    assert "{policy}" in evidence.remedy


def test_what_is_new_is_advised_before_what_is_granted() -> None:
    grants = granted(measured(program("a -> b", "b -> a")).counts)
    found = measured(program("a -> b", "b -> a", "b -> c", "c -> a"), grants)
    assert found.describe(("import", "b", "c")).details[-3:] == (
        "remove any one of these 2 imports and nothing here is new: b imports c (b.py:2), c imports a (c.py:1)",
        "import cycle of 3 modules: a, b, c",
        "what is granted goes on being a cycle; remove this import and the cycle is gone: a imports b (a.py:1)",
    )


def test_of_imports_that_may_be_to_blame_the_one_against_the_grain_comes_first() -> None:
    ring = ("app.api.a -> app.core.b", "app.core.b -> app.api.a", "app.api.c -> app.core.d")
    details = measured(program(*ring)).describe(("import", "app.api.a", "app.core.b")).details
    assert "and the cycle is gone: app.core.b imports app.api.a" in details[1]


def test_the_way_round_says_how_it_goes() -> None:
    found = measured(program("a -> b", "b ~> lib.x @4", "b ^~> lib @4", "lib ?-> a", "lib.x :> b"), deferred=True)
    assert found.describe(("deferred", "a", "b")).details[:2] == (
        "the way round: b runs lib (b.py:4)",
        "the way round: lib imports a (optional, lib/__init__.py:1)",
    )
    lazy = measured(program("a -> b", "b ~> a @8", "b ~> a:x @8"), deferred=True)
    assert lazy.describe(("deferred", "a", "b")).details[0] == "the way round: b imports a (deferred, b.py:8)"
    assert [site.line for site in lazy.describe(("deferred", "b", "a")).sites] == [8]


def test_an_edge_that_only_a_package_on_the_way_makes_says_so() -> None:
    found = measured(program("a.x -> lib.leaf @1", "a.x ^-> lib @1", "lib -> a.x"))
    assert found.describe(("import", "a.x", "lib")).what == (
        "a.x runs lib, a package on the way to what it imports, inside an import cycle"
    )
    assert found.notes[0].endswith(("a.x imports lib.leaf (a/x.py:1).", "lib imports a.x (lib/__init__.py:1)."))


def test_the_evidence_for_a_member_is_a_circle_through_it() -> None:
    found = measured(program(*RINGS), hold="members")
    evidence = found.describe(("members", "a", "c"))
    assert (evidence.rule, evidence.what) == ("ABT203", "c is a member of an import cycle (that of a)")
    assert [site.path for site in evidence.sites] == ["c.py", "b.py"]
    assert evidence.details[:2] == (
        "the way round: c imports b (c.py:1)",
        "the way round: b imports c (b.py:2)",
    )
    assert found.describe(("members", "a", "a")).what == "a is a member of an import cycle"


def test_a_grant_whose_import_is_gone_shows_no_way_round() -> None:
    ring = program("a -> b", "b -> c", "c -> a")
    for hold in ("edges", "members"):
        evidence = measured(ring, hold=hold).describe(("import", "a", "c"))
        assert (evidence.sites, evidence.details) == ((), ())
    assert measured(ring).describe(("members", "a", "b")).details == ()


@pytest.mark.parametrize(
    "key", [("import", "a", "z"), ("import", "a", "e"), ("import", "d", "a"), ("members", "a", "z"), ("odd", "a", "b")]
)
def test_what_the_code_lacks_is_described_without_a_place(key: Key) -> None:
    for hold in ("edges", "members"):
        evidence = measured(program(*RINGS), hold=hold).describe(key)
        assert evidence.sites == ()
        assert evidence.what


# a and b import each other as recorded; two ways lead down to e, and one import closes it all to one component.
BELOW = ("a -> b", "b -> a", "b -> c", "b -> d", "c -> e", "d -> e")
CLOSING = ("e -> a @7",)


def excess(before: Iterable[str], after: Iterable[str], **table: object) -> list[Violation]:
    grants = granted(measured(program(*before), **table).counts)
    verdict = judge(GATE.terms("law"), measured(program(*after), grants, **table), grants, date(2027, 1, 1))
    return [violation for violation in verdict.violations if violation.kind.excess]


def test_the_import_that_closed_a_cycle_leads_and_the_others_follow() -> None:
    found = excess(BELOW, (*BELOW, *CLOSING))
    assert [" ".join(value for _field, value in v.identity) for v in found if not v.follows] == ["import e a"]
    followers = [violation for violation in found if violation.follows]
    assert [violation.sites[0].place() for violation in followers] == ["b.py:2", "b.py:3", "c.py:1", "d.py:1"]
    assert {violation.details for violation in followers} == {("closed by: e imports a (e.py:7)",)}


def test_the_members_at_the_closing_import_lead_and_the_others_follow() -> None:
    found = excess(BELOW, (*BELOW, *CLOSING), hold="members")
    assert [dict(v.identity)["imported"] for v in found if not v.follows] == ["e"]
    followers = [violation for violation in found if violation.follows]
    assert [(dict(v.identity)["imported"], v.sites[0].place()) for v in followers] == [
        ("c", "c.py:1"),
        ("d", "d.py:1"),
    ]
    assert {violation.details for violation in followers} == {("closed by: e imports a (e.py:7)",)}
    (leader,) = (violation for violation in found if not violation.follows)
    assert leader.details[0] == "the way round: e imports a (e.py:7)"


def test_of_a_member_that_the_closing_import_leads_to_its_own_statement_comes_first() -> None:
    # x was in no cycle; what closes one is an import of x by a.
    found = excess(("x -> b", "a -> b", "b -> a"), ("x -> b @3", "a -> b", "b -> a", "a -> x @5"), hold="members")
    assert [(dict(v.identity)["imported"], v.sites[0].place()) for v in found] == [("x", "x.py:3")]
    assert found[0].details[:3] == (
        "the way round: x imports b (x.py:3)",
        "the way round: b imports a (b.py:1)",
        "the way round: a imports x (a.py:5)",
    )


def test_a_note_for_each_component_the_largest_first() -> None:
    assert measured(program(*RINGS)).notes == (
        "import cycle of 3 modules: a, b, c; remove these 2 imports and the cycle is gone: "
        "b imports a (b.py:1), c imports b (c.py:1).",
        "import cycle of 2 modules: e, f; remove this import and the cycle is gone: f imports e (f.py:1).",
    )
    assert measured(program("a -> b")).notes == ()


def test_notes_are_bounded() -> None:
    ring = [f"m{n:02} -> m{(n + 1) % 45:02}" for n in range(45)]
    (note,) = measured(program(*ring)).notes
    assert "import cycle of 45 modules: m00, m01, m02, m03, m04, m05, m06, m07, … and 37 more; " in note
    pairs = [text for n in range(14) for text in (f"p{n:02} -> q{n:02}", f"q{n:02} -> p{n:02}")]
    notes = measured(program(*pairs)).notes
    assert len(notes) == 11
    assert notes[-1] == "… and 4 smaller import cycles with 8 modules together."
    lazy = [text.replace("->", "~>") for text in pairs]
    assert (
        measured(program(*lazy))
        .notes[-1]
        .endswith("(not judged unless `deferred = true`): … and 4 smaller import cycles with 8 modules together.")
    )


def test_many_removals_are_bounded() -> None:
    star = [text for n in range(8) for text in (f"hub -> s{n}", f"s{n} -> hub @1", f"s{n} -> hub @2")]
    (note,) = measured(program(*star)).notes
    assert "remove these 8 imports and the cycle is gone: hub imports s0 (hub.py:1), " in note
    assert note.endswith(", … and 3 more.")


def test_a_huge_component_has_its_cut_worked_out_only_for_a_violation() -> None:
    found = measured(program(*(f"m{n:04} -> m{(n + 1) % 1001:04}" for n in range(1001))))
    assert found.notes[0].endswith("what would break it is not worked out here.")
    grants = granted(found.counts)
    wider = measured(program(*(f"m{n:04} -> m{(n + 1) % 1001:04}" for n in range(1001)), "m0000 -> m0002"), grants)
    assert "; remove this import" in wider.describe(("import", "m0000", "m0002")).details[-1]


# Settings


def test_a_module_left_out_is_in_no_cycle() -> None:
    found = measured(program(*RINGS), exclude=["b"])
    assert list(found.counts) == [("import", "e", "f"), ("import", "f", "e")]
    assert found.looked_at == 5
    assert measured(program("a"), exclude=["z"]).faults[0].message == "cycles.exclude[0]: 'z' matches no module."


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"hold": "imports"}, "hold: expected one of edges, members, found 'imports'"),
        ({"parents": "all"}, "parents: expected one of own, shared, none, found 'all'"),
        ({"deferred": 1}, "deferred: expected true or false, found 1"),
        ({"parent": "own"}, "parent: unknown key"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("modules", "hold", "why"),
    [
        (
            18,
            "edges",
            "while being imported has 2 of 20, not above a tenth",
        ),
        (17, "members", "while being imported has 2 of 19, above a tenth"),
    ],
)
def test_a_component_above_a_tenth_is_held_by_its_members(modules: int, hold: str, why: str) -> None:
    value, said, _beside = suggest_hold(program("a -> b", "b -> a", *(f"m{n}" for n in range(modules))))
    assert value == hold
    assert why in said


def test_without_cycles_every_import_is_held() -> None:
    said = "No modules import one another in a circle while being imported."
    assert suggest_hold(program("a -> b")) == ("edges", said, "")


def test_what_only_imports_inside_functions_close_is_said_at_first() -> None:
    _hold, _why, beside = suggest_hold(program("a ~> b", "b ~> a", "c -> d", "d -> c", "d ~> e", "e -> c"))
    assert beside == (
        "Not held: 2 cycles with imports inside functions, the largest of 3 modules. `deferred = true` in "
        "[tool.abutment.cycles] judges them."
    )
