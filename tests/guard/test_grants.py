"""Both hands are one sum: what widens it is seen, whichever hand does it, and what does not is left alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import pairwise

import pytest

from abutment.baselines.receipts import How, Part, Receipt, Touch, render_receipt
from abutment.gates import load_gate
from tests.guard.laws import (
    BARE,
    FORBIDDEN,
    GONE,
    LAW,
    approvals,
    differences,
    edge,
    recorded,
    toml,
    widenings,
)

KEY = ("c", "app.a", "app.b")
OTHER = ("c", "app.a", "app.b.x")
FACT = edge("app.a", "app.b")
SAID = "boundaries grants c, app.a, app.b: "

Files = Mapping[str, bytes | str]


def law(*parts: Files) -> dict[str, bytes | str]:
    """Return a revision whose contract `c` has these documents."""
    whole = toml(FORBIDDEN)
    for part in parts:
        whole.update(part)
    return whole


def baseline(count: int) -> dict[str, bytes | str]:
    return recorded("boundaries", {KEY: count} if count else {})


def receipt(verb: str, gate: str, *touches: Touch, supersedes: tuple[str, ...] = ()) -> dict[str, bytes | str]:
    one = Receipt(verb, parts=(Part(gate, load_gate(gate).fields, tuple(sorted(touches))),), supersedes=supersedes)
    return {f"{LAW}/receipts/{one.file_name}": render_receipt(one)}


def only_lines(gate: str, counts: Mapping[tuple[str, ...], int]) -> dict[str, bytes | str]:
    return {path: data for path, data in recorded(gate, counts).items() if path.endswith(".jsonl")}


def paid(*keys: tuple[str, ...]) -> dict[str, bytes | str]:
    """Return the baseline without these, and the receipt that says so."""
    touches = (Touch(key, 0, How.PAID) for key in keys)
    return {**only_lines("boundaries", {}), **receipt("tighten", "boundaries", *touches)}


ONE, TWO, NONE = law(baseline(1)), law(baseline(2)), law(baseline(0))
DEBT, EXCEPTION = law(approvals("boundaries", FACT)), law(approvals("boundaries", {**FACT, "class": "exception"}))


def approved(**more: object) -> dict[str, bytes | str]:
    return law(approvals("boundaries", {**FACT, **more}))


SOON, LATER = date(2027, 3, 1), date(2027, 4, 1)


@pytest.mark.parametrize(
    ("strict", "loose", "said"),
    [
        (law(), DEBT, "1 instead of 0"),
        (DEBT, approved(count=2), "2 instead of 1"),
        (DEBT, EXCEPTION, "is an exception now (1 debt before)"),
        (approved(expires=SOON), approved(expires=LATER), "ends later: on 2027-04-01, on 2027-03-01 before"),
        (approved(expires=SOON), DEBT, "ends later: never, on 2027-03-01 before"),
        (DEBT, approved(lifts=True), "may return although it was paid (`lifts`)"),
        (
            law(paid(KEY)),
            law(paid(KEY), approvals("boundaries", {**FACT, "lifts": True})),
            "1 instead of 0, and may return although it was paid (`lifts`)",
        ),
    ],
)
def test_a_wider_approval_is_seen_and_the_way_back_is_not(strict: Files, loose: Files, said: str) -> None:
    assert widenings(strict, loose) == [SAID + said]
    back = differences(loose, strict)
    assert (back.widenings, back.narrowing) == ((), 1)


def test_a_baseline_that_was_recorded_anew_with_more_is_seen() -> None:
    said = widenings(ONE, TWO)
    assert said[0] == SAID + "2 instead of 1"
    assert [words.rpartition(": ")[2] for words in said[1:]] == ["was removed"]  # the receipt that recorded 1


def test_a_line_that_no_receipt_bears_out_grants_nothing() -> None:
    assert widenings(ONE, {**ONE, **only_lines("boundaries", {KEY: 5, OTHER: 3})}) == []


def test_to_promote_what_was_recorded_is_no_widening() -> None:
    promoted = {**only_lines("boundaries", {}), **receipt("tighten", "boundaries", Touch(KEY, 0, How.PROMOTED))}
    for klass, wider in (("debt", []), ("exception", [SAID + "is an exception now (1 recorded before)"])):
        after = {**ONE, **promoted, **approvals("boundaries", {**FACT, "class": klass})}
        assert widenings(ONE, after) == wider


def test_an_exception_that_becomes_debt_narrows() -> None:
    found = differences(EXCEPTION, DEBT)
    assert (found.widenings, found.narrowing) == ((), 1)


def test_words_about_a_grant_are_neutral() -> None:
    found = differences(DEBT, approved(owner="others", reason="Otherwise.", tracking="T-2", target_state="better"))
    assert (found.widenings, found.narrowing) == ((), 0)


def test_payment_narrows() -> None:
    found = differences(ONE, {**ONE, **paid(KEY)})
    assert (found.widenings, found.narrowing) == ((), 2)  # the grant, and one more receipt


def test_the_revert_of_a_payment_is_seen() -> None:
    after = {**ONE, **paid(KEY)}
    said = widenings(after, ONE)
    assert said[0] == SAID + "1 instead of 0, and is no longer recorded as paid"
    assert len(said) == 2
    assert said[1].startswith("receipt ")


def test_a_tombstone_that_goes_with_its_receipt_is_seen() -> None:
    tombstone = receipt("tighten", "boundaries", Touch(KEY, 0, How.PAID))
    assert SAID + "is no longer recorded as paid" in widenings(law(baseline(0), tombstone), NONE)


def test_a_level_that_a_recording_raises_is_seen() -> None:
    lowered = law(baseline(3), receipt("tighten", "boundaries", Touch(KEY, 1, How.PAID)))
    digests = tuple(sorted(path.rpartition("/")[2].removesuffix(".json") for path in lowered if path.endswith(".json")))
    raised = receipt("init", "boundaries", Touch(KEY, 3, How.RERECORDED), supersedes=digests)
    assert widenings(lowered, {**lowered, **raised}) == [SAID + "3 instead of 1"]


def test_a_gate_that_is_new_brings_its_debt_along() -> None:
    without = {"abutment.toml": BARE.replace('"boundaries", ', "")}
    assert widenings(without, ONE) == []


def test_a_contract_that_is_new_brings_its_debt_along_and_no_other() -> None:
    second = FORBIDDEN.replace('"c"', '"d"')
    new = recorded("boundaries", {KEY: 1, ("d", "app.a", "app.b"): 1})
    touched = receipt("init", "boundaries", Touch(("d", "app.a", "app.b"), 1, How.RECORDED))
    lines = {path: data for path, data in new.items() if path.endswith(".jsonl")}
    assert widenings(ONE, {**ONE, **toml(FORBIDDEN + second), **lines, **touched}) == []
    assert len(widenings(law(), {**law(), **baseline(1)})) == 1


def test_the_debt_of_a_reading_that_is_new_narrows() -> None:
    key = ("deferred", "app.a", "app.b")
    base = {"abutment.toml": BARE, **recorded("cycles", {})}
    more = {"abutment.toml": BARE + "[cycles]\ndeferred = true\n", **recorded("cycles", {key: 1})}
    assert widenings(base, {**base, **more}) == []
    assert len(widenings({**base, "abutment.toml": more["abutment.toml"]}, {**base, **more})) == 1


def test_a_contract_under_another_id_is_seen_and_not_each_of_its_grants() -> None:
    renamed = FORBIDDEN.replace('"c"', '"d"')
    after = {**toml(renamed), **recorded("boundaries", {("d", "app.a", "app.b"): 1})}
    assert [words for words in widenings(ONE, after) if not words.startswith("receipt")] == ["contract c: was removed"]


def test_a_snapshot_may_be_recorded_anew() -> None:
    on = {"abutment.toml": 'roots = ["src"]\ngates = ["snapshot"]\n'}
    base = {**on, **recorded("snapshot", {("module", "app", ""): 1})}
    more = receipt("record", "snapshot")
    lines = only_lines("snapshot", {("module", "app", ""): 1, ("module", "app.a", ""): 1})
    assert widenings(base, {**base, **lines, **more}) == []


def test_documents_that_moved_are_compared_by_what_they_say() -> None:
    there = {path.replace(LAW, "law"): data for path, data in ONE.items()}
    there["abutment.toml"] = BARE + 'documents = "law"\n' + FORBIDDEN
    assert widenings(ONE, there) == []
    assert widenings({**ONE, **paid(KEY)}, there)


def test_documents_that_could_not_be_read_before_are_one_difference() -> None:
    torn = {**ONE, f"{LAW}/boundaries.jsonl": "<<<<<<< ours\n"}
    assert [words.partition(":")[0] for words in widenings(torn, ONE)] == ["boundaries"]


def test_a_document_of_an_unknown_gate_is_told_by_its_bytes() -> None:
    assert widenings(law(), law({f"{LAW}/ours.jsonl": "{}"})) == [
        "document ours.jsonl: went from not there to "
        "sha256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    ]
    assert len(widenings(law({f"{LAW}/ours.jsonl": "{}"}), law({f"{LAW}/ours.jsonl": "[]"}))) == 1


# Documents of gates that are off: what `check` says of them is that they may go.

OFF = {"abutment.toml": BARE.replace(', "egress"', "")}


def off_with(*files: Files) -> dict[str, bytes | str]:
    """Return a revision in which the gate `egress` is off."""
    whole: dict[str, bytes | str] = dict(OFF)
    for part in files:
        whole.update(part)
    return whole


def uses(count: int) -> dict[str, bytes | str]:
    gate = load_gate("egress")
    return recorded("egress", {tuple(f"a {name}" for name in gate.fields): count})


@pytest.mark.parametrize(
    "files",
    [
        uses(2),
        {f"{LAW}/egress.toml": "schema = 1\n"},
        {f"{LAW}/tasks.toml": "schema = 1\n"},
        {f"{LAW}/ours.jsonl": "{}"},
        {f"{LAW}/ours.jsonl": "{}", f"{LAW}/ours.toml": ""},
    ],
    ids=lambda files: " ".join(path.rpartition("/")[2] for path in files),
)
def test_a_document_of_a_gate_that_is_off_may_go(files: Files) -> None:
    assert widenings(off_with(files), off_with()) == []
    for path in files:
        if "/receipts/" not in path:
            assert widenings(off_with(files), off_with({**files, path: GONE})) == []


def test_no_document_goes_with_the_gate_that_it_is_for() -> None:
    on = {"abutment.toml": BARE, **uses(2)}
    assert widenings(on, off_with()) == ["gate egress: went from on to off"]
    assert widenings(on, off_with(uses(2))) == ["gate egress: went from on to off, with documents"]


def test_documents_that_are_recorded_anew_grant_no_more_than_before() -> None:
    said = widenings(off_with(uses(2)), off_with(uses(3)))
    assert any("3 instead of 2" in words for words in said)


@pytest.mark.parametrize(("before", "after"), [("schema = 1\n", GONE), (GONE, "schema = 1\n")])
def test_a_policy_that_comes_or_goes_hides_no_setting_of_a_gate_without_a_baseline(before: str, after: str) -> None:
    strict, lax = ({"abutment.toml": OFF["abutment.toml"] + text} for text in ("", '[tasks]\nexclude = ["app.x"]'))
    path = f"{LAW}/tasks.toml"
    assert widenings({**strict, path: before}, {**lax, path: after}) == ["tasks.exclude: 'app.x' was added"]


# Moves

MOVED = ("c", "app.z", "app.b")
CODE: dict[str, bytes | str] = {"src/app/a.py": "import app.b", "src/app/b.py": ""}
RENAMED: dict[str, bytes | str] = {"src/app/a.py": GONE, "src/app/z.py": "import app.b"}


def moved(count: int = 1) -> dict[str, bytes | str]:
    touches = (Touch(KEY, 0, How.MOVED), Touch(MOVED, count, How.MOVED))
    return {**only_lines("boundaries", {MOVED: count}), **receipt("move", "boundaries", *touches)}


def test_a_declared_move_is_no_widening_as_long_as_it_brings_no_more() -> None:
    assert widenings({**ONE, **CODE}, {**ONE, **CODE, **RENAMED, **moved()}) == []
    said = widenings({**ONE, **CODE}, {**ONE, **CODE, **RENAMED, **moved(2)})
    assert said == ["boundaries grants c, app.z, app.b: 2 instead of 1"]


FIRST, SECOND = "def first(): ...\n", "def second(): ...\n"


@pytest.mark.parametrize(
    ("home", "before", "after", "is_move"),
    [
        ("app.a", {"src/app/a.py": FIRST}, {"src/app/a.py": SECOND}, True),
        ("app.a", {"src/app/a.py": FIRST}, {"src/app/a.py": FIRST + SECOND}, False),  # the old one is still there
        ("app.a", {"src/app/a.py": FIRST + SECOND}, {"src/app/a.py": SECOND}, False),  # the new one was there
        ("app.b", {"src/app/a.py": FIRST}, {"src/app/a.py": "", "src/app/b.py": SECOND}, True),
        ("app.b", {"src/app/a.py": FIRST}, {"src/app/b.py": SECOND}, False),
    ],
)
def test_a_declared_move_of_a_function_is_no_widening_and_an_undeclared_one_only_stays_in_its_module(
    home: str, before: Files, after: Files, is_move: bool
) -> None:
    old = ("app.a", "first", "requests", "raw", "get")
    new = (home, "second", "requests", "raw", "get")
    base = {"abutment.toml": BARE, **CODE, **recorded("egress", {old: 1}), **before}
    later = {**base, **only_lines("egress", {new: 1}), **after}
    told = receipt("move", "egress", Touch(old, 0, How.MOVED), Touch(new, 1, How.MOVED))
    assert len(widenings(base, {**later, **told})) == (0 if is_move else 1)
    untold = receipt("init", "egress", Touch(old, 0, How.RERECORDED), Touch(new, 1, How.RERECORDED))
    assert len(widenings(base, {**later, **untold})) == (0 if is_move and home == "app.a" else 1)


@pytest.mark.parametrize("code", [{}, {"src/app/z.py": "import app.b"}])
def test_a_move_that_a_receipt_declares_and_the_code_does_not_show_is_none(code: Files) -> None:
    there: dict[str, bytes | str] = {**ONE, **CODE, "src/app/z.py": ""}
    said = ["boundaries grants c, app.z, app.b: 1 instead of 0"]
    assert widenings(there, {**there, **code, **moved()}) == said
    assert widenings(there, {**there, "src/app/a.py": GONE, **moved()}) == said


def test_a_receipt_knows_one_new_name_for_an_old_one() -> None:
    old, new = [KEY, OTHER], [MOVED, ("c", "app.y", "app.b.x")]
    before = {**law(recorded("boundaries", dict.fromkeys(old, 1))), **CODE}
    touches = [*(Touch(key, 0, How.MOVED) for key in old), *(Touch(key, 1, How.MOVED) for key in new)]
    told = {**only_lines("boundaries", dict.fromkeys(new, 1)), **receipt("move", "boundaries", *touches)}
    assert len(widenings(before, {**before, **RENAMED, "src/app/y.py": "", **told})) == 1


def test_two_declared_moves_in_a_row_are_one() -> None:
    between = ("c", "app.y", "app.b")
    first = receipt("move", "boundaries", Touch(KEY, 0, How.MOVED), Touch(between, 1, How.MOVED))
    second = receipt("move", "boundaries", Touch(between, 0, How.MOVED), Touch(MOVED, 1, How.MOVED))
    both = {**only_lines("boundaries", {MOVED: 1}), **first, **second}
    assert widenings({**ONE, **CODE}, {**ONE, **CODE, **RENAMED, **both}) == []


def test_two_declared_moves_of_a_function_in_a_row_are_one() -> None:
    keys = [("app.a", name, "requests", "raw", "get") for name in ("first", "other", "second")]
    base = {"abutment.toml": BARE, **CODE, "src/app/a.py": FIRST, **recorded("egress", {keys[0]: 1})}
    told = [
        receipt("move", "egress", Touch(old, 0, How.MOVED), Touch(new, 1, How.MOVED)) for old, new in pairwise(keys)
    ]
    later = {**base, "src/app/a.py": SECOND, **only_lines("egress", {keys[2]: 1}), **told[0]}
    assert len(widenings(base, later)) == 1
    assert widenings(base, {**later, **told[1]}) == []


def test_an_approval_follows_a_module_that_was_renamed() -> None:
    after = law(approvals("boundaries", edge("app.z", "app.b")))
    assert widenings({**DEBT, **CODE}, {**after, **CODE, **RENAMED}) == []


@pytest.mark.parametrize(
    "change",
    [
        {"src/app/z.py": "import app.b"},  # the old one is still there
        {"src/app/a.py": GONE},  # the new one is not
        {"src/app/a.py": GONE, "src/app/z.py": "import app.b, os"},  # the new one is another one
    ],
)
def test_an_approval_does_not_wander_where_nothing_was_renamed(change: Files) -> None:
    after = law(approvals("boundaries", edge("app.z", "app.b")))
    assert widenings({**DEBT, **CODE}, {**after, **CODE, **change}) == [
        "boundaries grants c, app.z, app.b: 1 instead of 0"
    ]


def test_a_rename_does_not_turn_debt_into_an_exception() -> None:
    after = law(approvals("boundaries", {**edge("app.z", "app.b"), "class": "exception"}))
    assert widenings({**DEBT, **CODE}, {**after, **CODE, **RENAMED}) == [
        "boundaries grants c, app.z, app.b: 1 instead of 0"
    ]


GET = "    return requests.get(url)\n"
BODY = f"(url):\n    url = url or HOME\n{GET}"
OUTER = "def f():\n  url = 1\n  def {}{}  return url\n"
ELSEWISE = "(x):\n    y = x.more()\n    return requests.get(y)\n"


def way_out(qualname: str, module: str = "app.a", **more: object) -> dict[str, object]:
    known = {"target": "requests", "kind": "raw", "operation": "get"}
    return {"module": module, "qualname": qualname, **known, **more}


def approved_ways_out(code: Files, *entries: Mapping[str, object]) -> dict[str, bytes | str]:
    return {"abutment.toml": BARE, **approvals("egress", *entries), **code}


@pytest.mark.parametrize(
    ("before", "after", "old", "new", "is_renamed"),
    [
        ("def f" + BODY, "def g" + BODY, "f", "g", True),
        ("def f" + BODY, f"def g(url, more):\n    url = url or HOME\n    more()\n{GET}", "f", "g", False),
        ("def f" + BODY, "# moved\ndef g" + BODY.replace(GET, f"    more()\n{GET}"), "f", "g", True),
        ("def f" + BODY, "def g" + ELSEWISE, "f", "g", False),  # another one in its place
        ("def f" + BODY, "def f" + BODY + "def g" + BODY, "f", "g", False),  # the old one is still there
        ("def f" + BODY + "def g(): ...", "def g" + BODY, "f", "g", False),  # the new one was there
        ("def f" + BODY, "def h" + BODY + "def g" + ELSEWISE, "f", "g", False),  # it is another one now
        (f"class A:\n  def f{BODY}", f"class B:\n  def f{BODY}", "A.f", "B.f", True),
        (f"class A:\n  def f{BODY}", f"class B:\n  def g{BODY}", "A.f", "B.g", True),
        (f"class A:\n  def f{BODY}", "def g" + BODY, "A.f", "g", True),
        (
            f"def f():\n  url = 1\n  def inner{BODY}  return inner\n",
            f"def g():\n  url = 1\n  def inner{BODY}  return inner\n",
            "f.<locals>.inner",
            "g.<locals>.inner",
            True,
        ),
        (
            "def f(): return lambda url: get(url)",
            "def g(): return lambda url: get(url)",
            "f.<lambda>",
            "g.<lambda>",
            True,
        ),
        (OUTER.format("inner", BODY), OUTER.format("other", BODY), "f.<locals>.inner", "f.<locals>.other", True),
        (OUTER.format("inner", BODY), OUTER.format("other", ELSEWISE), "f.<locals>.inner", "f.<locals>.other", False),
        (OUTER.format("inner", BODY), "def f" + BODY, "f.<locals>.inner", "f", False),
        (
            OUTER.format("inner", BODY),
            OUTER.format("other", BODY).replace("def f", "def g"),
            "f.<locals>.inner",
            "g.<locals>.other",
            True,
        ),
        (
            "def f(): return lambda url: get(url)",
            "def g(): return lambda url: get(url)",
            "f.<locals>.<lambda>",
            "g.<locals>.<lambda>",
            True,
        ),
        (
            f"class A:\n  def f(self):\n    def x{BODY.replace('    ', '      ')}",
            f"class A:\n  def f(self):\n    def y{BODY.replace('    ', '      ')}",
            "A.f.<locals>.x",
            "A.f.<locals>.y",
            True,
        ),
        ("def f" + BODY, "def f" + BODY + "other()\n", "f", "<module>", False),
        ("def f" + BODY, "other()\n", "f", "<module>", False),
        ("def f" + BODY, "def g(:", "f", "g", False),  # nobody can read it
    ],
)
def test_an_approval_follows_a_function_or_class_that_was_renamed(
    before: str, after: str, old: str, new: str, is_renamed: bool
) -> None:
    was = approved_ways_out({"src/app/a.py": before}, way_out(old))
    now = approved_ways_out({"src/app/a.py": after}, way_out(new))
    said = [] if is_renamed else [f"egress grants app.a, {new}, requests, raw, get: 1 instead of 0"]
    assert widenings(was, now) == said


def test_a_renamed_function_brings_no_more_than_it_had_and_no_other_class_of_grant() -> None:
    was = approved_ways_out({"src/app/a.py": "def f" + BODY}, way_out("f"))
    for more, said in (({"count": 2}, "2 instead of 1"), ({"class": "exception"}, "1 instead of 0")):
        now = approved_ways_out({"src/app/a.py": "def g" + BODY}, way_out("g", **more))
        assert widenings(was, now) == [f"egress grants app.a, g, requests, raw, get: {said}"]


def test_two_functions_do_not_become_one_nor_one_function_two() -> None:
    both = approved_ways_out({"src/app/a.py": f"def f{BODY}def e{BODY}"}, way_out("e"), way_out("f"))
    one = approved_ways_out({"src/app/a.py": "def g" + BODY}, way_out("g", count=2))
    assert widenings(both, one) == ["egress grants app.a, g, requests, raw, get: 2 instead of 1"]
    twice = approved_ways_out({"src/app/a.py": "def h" + BODY}, way_out("h", count=2))
    assert widenings(twice, both) == ["egress grants app.a, f, requests, raw, get: 1 instead of 0"]


def test_a_function_may_be_renamed_in_a_module_that_is_renamed_and_not_move_to_another_one() -> None:
    was = approved_ways_out({"src/app/a.py": "import os, sys\ndef f" + BODY, "src/app/b.py": ""}, way_out("f"))
    there = {"src/app/a.py": GONE, "src/app/z.py": "import os, sys\ndef g" + BODY, "src/app/b.py": ""}
    assert widenings(was, approved_ways_out(there, way_out("g", "app.z"))) == []
    moved_on = {"src/app/a.py": "import os, sys\n", "src/app/b.py": "def f" + BODY}
    assert widenings(was, approved_ways_out(moved_on, way_out("f", "app.b"))) == [
        "egress grants app.b, f, requests, raw, get: 1 instead of 0"
    ]


def test_a_function_that_is_called_like_its_module_may_be_renamed_with_it() -> None:
    """Text that is the same but for the names of modules holds no renamed function: this one holds one."""
    was = approved_ways_out({"src/app/a.py": "import app.a, sys\ndef a" + BODY}, way_out("a"))
    there = {"src/app/a.py": GONE, "src/app/z.py": "import app.z, sys\ndef z" + BODY}
    assert widenings(was, approved_ways_out(there, way_out("z", "app.z"))) == []
    kept = {"src/app/a.py": GONE, "src/app/z.py": "import app.z, sys\ndef a" + BODY}
    assert widenings(was, approved_ways_out(kept, way_out("a", "app.z"))) == []
    assert widenings(was, approved_ways_out(kept, way_out("z", "app.z"))) != []


def test_modules_that_no_text_tells_apart_need_a_declared_move() -> None:
    texts = {f"src/app/{name}.py": "import os, sys\ndef f" + BODY for name in "ab"}
    gone = {**dict.fromkeys(texts, GONE), "src/app/y.py": texts["src/app/a.py"], "src/app/z.py": texts["src/app/a.py"]}
    was = approved_ways_out(texts, way_out("f"))
    assert widenings(was, approved_ways_out(gone, way_out("f", "app.y"))) == []
    assert len(widenings(was, approved_ways_out(gone, way_out("f", "app.z")))) == 1


def test_a_name_that_an_approval_holds_follows_what_it_means() -> None:
    kept = {"src/app/b.py": "from app import a\n"}
    was = approved_ways_out({**kept, "src/app/a.py": "def f" + BODY}, way_out("x", "app.b", target="app.a.f"))
    now = approved_ways_out({**kept, "src/app/a.py": "def g" + BODY}, way_out("x", "app.b", target="app.a.g"))
    other = approved_ways_out({**kept, "src/app/a.py": "def g" + ELSEWISE}, way_out("x", "app.b", target="app.a.g"))
    assert widenings(was, now) == []
    assert len(widenings(was, other)) == 1
