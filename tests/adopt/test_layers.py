"""What `init` says about layers, and that every figure in it is a fact."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.adopt.layers import MOST_CHILDREN, Proposal, propose, propose_layers
from abutment.adopt.ordering import arrange
from abutment.gates import boundaries
from abutment.model.grants import Grants
from abutment.model.reading import Faults, TableReader
from abutment.semantics.program import Program
from tests.programs import program


def weights(*texts: str) -> dict[tuple[str, str], int]:
    """Return `{("p.a", "p.b"): 3}` for `"a b 3"`."""
    found = {}
    for text in texts:
        importer, imported, count = text.split()
        found[f"p.{importer}", f"p.{imported}"] = int(count)
    return found


def proposed(*texts: str, also: str = "") -> Proposal:
    pairs = weights(*texts)
    names = {name for pair in pairs for name in pair} | {f"p.{name}" for name in also.split()}
    return propose("p", sorted(names), pairs)


def layers(*texts: str) -> list[str]:
    layers = proposed(*texts).contract()["layers"]
    assert isinstance(layers, list)
    return [layer.replace("p.", "") for layer in layers]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["api core 5", "core db 3", "api db 1"], ["api", "core", "db"]),
        (["api core 5", "cli core 2"], ["api : cli", "core"]),
        (["api core 98", "core api 2"], ["api", "core"]),  # 2 of 100 are 2 %
        (["api core 97", "core api 2", "cli api 1"], ["cli", "api : core"]),  # 2 of 99 are more
        (["api core 49", "core api 1"], ["api", "core"]),
        (["api core 48", "core api 1", "cli api 3"], ["cli", "api : core"]),
        (["a b 9", "b c 9", "c a 9", "d a 9"], ["c : d", "a"]),  # a circle loses a member
        (["a b 9", "b c 9", "c a 9", *(f"{x} {y} 9" for x in "de" for y in "abc")], ["d : e", "a : b : c"]),
        (["a b 3", "c d 3"], ["a : c", "b : d"]),
    ],
)
def test_imports_speak_for_layers(texts: list[str], expected: list[str]) -> None:
    assert layers(*texts) == expected


def test_one_child_that_ties_the_others_into_a_knot_is_left_out() -> None:
    parts = ["cli", "api", "core", "db"]
    chain = [f"{one} {other} 20" for i, one in enumerate(parts) for other in parts[i + 1 :]]
    knot = [f"{part} utils 20" for part in parts] + [f"utils {part} 10" for part in parts]
    proposal = proposed(*chain, *knot)
    assert proposal.order.left_out == ("p.utils",)
    assert layers(*chain, *knot) == parts
    assert (
        "In no layer: p.utils. No order with 4 of the others, such as p.api and p.utils (20 against 10)."
        in proposal.comments
    )


def test_what_was_left_out_too_early_is_put_back() -> None:
    # Leaving out one at a time gives up a, b and c; without a and b, c explains more than it costs.
    found = weights(
        "d a 50", "a h 10", "c g 99", "f c 10", "g b 50", "f h 99", "h d 400", "c e 400", "a c 50", "h b 400",
        "d b 50", "f g 10", "b g 400", "b f 10", "g d 1", "e f 1", "e a 1",
    )  # fmt: skip
    order = arrange(found, sorted({name for pair in found for name in pair}))
    assert order.left_out == ("p.a", "p.b")
    assert order.layers == (("p.c", "p.e", "p.f"), ("p.g", "p.h"), ("p.d",))


def test_a_child_without_imports_is_in_no_layer() -> None:
    proposal = proposed("api core 9", also="lonely")
    assert proposal.order.unlinked == ("p.lonely",)
    assert "In no layer, as no import ties them to one: p.lonely." in proposal.comments


def test_the_contract_is_plain_settings() -> None:
    assert proposed("api core 9", "cli core 1").contract() == {
        "id": "layers-p",
        "kind": "layers",
        "layers": ["p.api : p.cli", "p.core"],
    }


def test_what_speaks_against_it_is_said_with_its_figures() -> None:
    proposal = proposed("api core 98", "core api 2", "core db 3", "db core 1", "db sql 2", "sql db 2")
    assert proposal.comments == (
        "4 of 4 direct children of p in 2 layers, by 108 imports between them: 98 go down, 2 up, 8 stay in a layer, "
        "0 come from or go to a child in no layer.",
        "Up: p.core imports p.api (2 of 100 between the two).",
        "One layer, as each imports the other: p.db and p.sql (2 against 2).",
        "One layer, as each imports the other: p.core and p.db (3 against 1).",
    )


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["a b 4"], "4 imports between them, too few to tell an order."),
        (["a b 9", "b a 9"], "18 imports between them, and no order could be told."),
    ],
)
def test_without_evidence_there_is_no_law(texts: list[str], says: str) -> None:
    proposal = proposed(*texts)
    assert not proposal.is_law
    assert proposal.comments[0] == f"No layers proposed among the direct children of p: {says}"


def test_too_many_children_are_not_ordered_and_it_says_so() -> None:
    pairs = {(f"p.m{n:03}", "p.core"): 1 for n in range(MOST_CHILDREN)}
    proposal = propose("p", sorted({name for pair in pairs for name in pair}), pairs)
    assert not proposal.is_law
    assert proposal.comments == (
        "No layers proposed among the direct children of p: they are 61, and 60 are the most looked at.",
    )


def test_long_lists_of_figures_are_cut_and_counted() -> None:
    upward = [text for number in range(15) for text in (f"api{number:02} core 98", f"core api{number:02} 2")]
    lines = proposed(*upward).comments[1:]
    assert lines[0] == "Up: p.core imports p.api00 (2 of 100 between the two)."
    assert len(lines) == 13
    assert lines[-1] == "… and 3 more such lines."


def test_a_file_whose_name_no_import_can_spell_is_no_child() -> None:
    (proposal,) = propose_layers(program(*SHOP[:2], "shop/tools/old.v1.py"))
    assert {name for name in proposal.order.unlinked if "/" in name} == set()


SHOP = (
    "shop.cli -> shop.core.a",
    "shop.cli -> shop.core.b",
    "shop.cli ~-> shop.core.b",  # the same pair of modules counts once
    "shop.api.x ?-> shop.core.a",
    "shop.api.y *-> shop.core.a",
    "shop.api.y %-> shop.core.b",
    "shop.core.a :-> shop.api.x",  # for the type checker only
    "shop.core.a ^-> shop.cli",  # the parent of a target
    "shop.core.a -> shop.core.b",  # inside one child
    "shop.core.a -> shop",  # the package itself is no child of its own
    "shop.core.a -> !requests",
    "tests.test_a -> shop.cli",
)


def only(text_program: Program) -> Proposal:
    (proposal,) = propose_layers(text_program)
    return proposal


def test_written_imports_between_modules_count_once_a_pair() -> None:
    proposal = only(program(*SHOP, tests=["tests"]))
    assert proposal.contract()["layers"] == ["shop.api : shop.cli", "shop.core"]
    assert (proposal.figures.total, proposal.figures.down, proposal.figures.up) == (5, 5, 0)


def test_a_package_that_only_holds_another_stands_for_it() -> None:
    proposal = only(program(*(f"google.cloud.x.a.m{n} -> google.cloud.x.b" for n in range(5))))
    assert proposal.id == "layers-google.cloud.x"
    assert proposal.contract()["layers"] == ["google.cloud.x.a", "google.cloud.x.b"]


def test_several_top_level_packages_are_ordered_too() -> None:
    texts = [f"app.m{n} -> lib.core.m{n}" for n in range(5)] + ["lib.api -> lib.core.m0"]
    ids = {proposal.id: proposal.is_law for proposal in propose_layers(program(*texts))}
    assert ids == {"layers": True, "layers-app": False, "layers-lib": False}


def test_a_single_module_gives_no_proposal() -> None:
    assert propose_layers(program("tool")) == ()


def test_the_contract_finds_exactly_the_imports_that_the_figures_say_go_up() -> None:
    down = [f"shop.api.m{n:02} -> shop.core.m{n % 7}" for n in range(98)]
    text_program = program(*down, "shop.core.m1 ~-> shop.api.m02", "shop.core.m2 ?-> shop.api", "shop.cli -> shop.api")
    proposal = only(text_program)
    faults = Faults()
    table = {"contracts": [proposal.contract()]}
    settings = boundaries.read_settings(TableReader("abutment.toml", table, faults, lambda _path: 0))
    measured = boundaries.measure(text_program, settings, Grants())
    assert not faults.found
    assert not measured.faults
    assert proposal.figures.up == 2
    assert set(measured.counts) == {
        ("layers-shop", "shop.core.m1", "shop.api.m02"),
        ("layers-shop", "shop.core.m2", "shop.api"),
    }


NAMES = "abcdefg"
PAIRS = [(one, other) for one, other in product(NAMES, NAMES) if one != other]
WEIGHTS = st.dictionaries(st.sampled_from(PAIRS), st.sampled_from([1, 2, 3, 50, 99, 400]), max_size=30)


@given(WEIGHTS)
@settings(max_examples=150, derandomize=True, deadline=None)
def test_what_is_law_is_contradicted_by_at_most_one_import_in_fifty(found: dict[tuple[str, str], int]) -> None:
    order = arrange(found, NAMES)
    assert sorted(name for layer in (*order.layers, order.left_out, order.unlinked) for name in layer) == list(NAMES)
    for height, upper in enumerate(order.layers):
        for lower in order.layers[height + 1 :]:
            for one, other in product(upper, lower):
                up, down = found.get((other, one), 0), found.get((one, other), 0)
                assert up * 50 <= up + down


@given(WEIGHTS)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_every_figure_can_be_counted_again(found: dict[tuple[str, str], int]) -> None:
    proposal = propose("p", list(NAMES), found)
    place = {name: height for height, layer in enumerate(proposal.order.layers) for name in layer}
    counted: Counter[str] = Counter(total=0, down=0, up=0, inside=0, unplaced=0)
    for (importer, imported), count in found.items():
        counted["total"] += count
        if importer in place and imported in place:
            step = place[imported] - place[importer]
            counted["down" if step > 0 else "up" if step < 0 else "inside"] += count
        else:
            counted["unplaced"] += count
    figures = proposal.figures
    assert counted == {name: getattr(figures, name) for name in counted}
    for line in proposal.comments:
        if match := re.fullmatch(r"Up: (\S+) imports (\S+) \((\d+) of (\d+) between the two\)\.", line):
            up, down = found[match[1], match[2]], found.get((match[2], match[1]), 0)
            assert (up, up + down) == (int(match[3]), int(match[4]))
        if match := re.search(r"(\S+) and (\S+) \((\d+) against (\d+)\)", line):
            assert found[match[1], match[2]] == int(match[3])
            assert found[match[2], match[1]] == int(match[4])


@given(WEIGHTS, st.randoms(use_true_random=False))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_the_order_of_what_is_read_changes_nothing(found: dict[tuple[str, str], int], random: object) -> None:
    names, items = list(NAMES), list(found.items())
    random.shuffle(names)  # type: ignore[attr-defined]  # a random.Random
    random.shuffle(items)  # type: ignore[attr-defined]  # a random.Random
    assert propose("p", names, dict(items)) == propose("p", list(NAMES), found)
