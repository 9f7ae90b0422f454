"""Whatever happens to a codebase: recorded debt only falls, and nothing is paid with something else."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.laws import codebases
from tests.laws.codebases import AT_IMPORT, Line, project, sources, upward
from tests.laws.workshop import Workshop, adopted, workshop

RATCHETS = ("blindspots", "boundaries", "cycles")
bounded = settings(max_examples=25, derandomize=True, deadline=None)


def levels(shop: Workshop) -> dict[tuple[str, ...], int]:
    return {(gate, *key): count for gate in RATCHETS for key, count in shop.recorded(gate).items()}


def disturbed(files: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return the files with their statements in another order, and blank lines and comments between any two lines."""
    return {path: _disturbed(text, random.Random(f"{seed} {path}")) for path, text in files.items()}


def _disturbed(text: str, chance: random.Random) -> str:
    head, rest = text[: len(codebases.HEAD)], text[len(codebases.HEAD) :]
    statements = _statements(rest)
    chance.shuffle(statements)
    lines = (head + "".join(statements)).splitlines(keepends=True)
    noise = ["\n", "# a remark\n", "\n\n\n", "    # import app.high\n", "\f\n"]
    return "".join(chance.choice(noise) * chance.randrange(3) + line for line in lines) + "# the end\n"


def _statements(text: str) -> list[str]:
    """Return the statements of a module's top level; a handler belongs to its `try`."""
    found: list[str] = []
    for line in text.splitlines(keepends=True):
        if found and line.startswith((" ", "except")):
            found[-1] += line
        else:
            found.append(line)
    return found


@bounded
@given(codebases.codebases(), codebases.settings())
def test_what_was_recorded_is_held(lines: list[Line], law: str) -> None:
    with adopted(project(lines, law)) as shop:
        answer = shop("check")
        assert answer.status == 0, answer.out


@bounded
@given(codebases.codebases())
def test_what_init_proposes_for_itself_is_held(lines: list[Line]) -> None:
    with adopted(sources(lines)) as shop:
        answer = shop("check")
        assert answer.status == 0, answer.out


@bounded
@given(codebases.codebases(least=4), codebases.settings(), st.integers(0, 1000), st.data())
def test_a_moved_line_is_the_same_debt(lines: list[Line], law: str, seed: int, data: st.DataObject) -> None:
    paid = data.draw(st.sets(st.sampled_from(lines), max_size=3))
    kept = [line for line in lines if line not in paid]
    with adopted(project(lines, law)) as moved, adopted(project(lines, law)) as still:
        moved.write(disturbed(sources(lines), seed))
        answer = moved("check")
        assert answer.status == 0, answer.out
        moved.write(disturbed(sources(kept), seed + 1))
        still.write(sources(kept))
        assert moved("tighten").status == still("tighten").status == 0
        assert moved.documents() == still.documents()


@bounded
@given(codebases.codebases(), codebases.codebases(most=5), codebases.settings(), st.data())
def test_tightening_never_raises_a_count_and_what_was_tightened_is_held(
    before: list[Line], added: list[Line], law: str, data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(before), unique=True)) if before else []
    with adopted(project(before, law)) as shop:
        recorded, documents = levels(shop), shop.documents()
        shop.write(sources([*kept, *added]))
        excess = any(kind not in ("gone", "shrunk") for gate in RATCHETS for kind, _what in shop.kinds(gate))
        answer = shop("tighten")
        assert answer.status == (2 if excess else 0), answer.err
        if excess:
            assert shop.documents() == documents
        else:
            assert all(count <= recorded.get(key, 0) for key, count in levels(shop).items())
            assert shop("check").status == 0
            assert shop("tighten").out == "Nothing to write.\n"


@bounded
@given(codebases.codebases(least=2), codebases.settings(), st.data())
def test_imports_that_go_leave_nothing_new_behind(lines: list[Line], law: str, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(lines), unique=True))
    with adopted(project(lines, law)) as shop:
        shop.write(sources(kept))
        assert shop("check", "--stale", "warn").status == 0
        assert shop("tighten").status == 0
        assert shop("check").status == 0


@bounded
@given(codebases.codebases(AT_IMPORT, least=3), st.data())
def test_what_was_paid_never_comes_back_for_nothing(lines: list[Line], data: st.DataObject) -> None:
    debt = [line for line in lines if upward(line)]
    assume(debt)
    paid = data.draw(st.sampled_from(debt))
    ends = (paid.importer, paid.imported)
    with adopted(project(lines)) as shop:
        shop.write(sources(line for line in lines if (line.importer, line.imported) != ends))
        assert shop("tighten").status == 0
        shop.write(sources(lines))
        assert ("returned", " ".join(("layers", *ends))) in shop.kinds("boundaries")
        assert shop("tighten").status == 2


@bounded
@given(codebases.codebases(AT_IMPORT), st.data())
def test_a_swap_is_never_free(lines: list[Line], data: st.DataObject) -> None:
    every = [line for line in _plain_pairs() if upward(line)]
    old, new = data.draw(st.permutations(every).map(lambda order: order[:2]))
    ends = {(old.importer, old.imported), (new.importer, new.imported)}
    rest = [line for line in lines if (line.importer, line.imported) not in ends]
    with adopted(project([*rest, old])) as shop:
        documents = shop.documents()
        shop.write(sources([*rest, new]))
        found = shop.kinds("boundaries")
        assert [(kind, what) for kind, what in found if what.startswith("layers ")] == [
            ("gone", f"layers {old.importer} {old.imported}"),
            ("new", f"layers {new.importer} {new.imported}"),
        ]
        assert shop("check", "boundaries").status == shop("check", "--stale", "warn").status == 1
        assert shop("tighten").status == 2
        assert shop.documents() == documents


def _plain_pairs() -> Iterable[Line]:
    return (Line(a, b) for a in codebases.MODULES for b in codebases.MODULES if a != b)


# A package takes a star from a module that takes a submodule from the package: the name leads back to itself, so
# that Python falls back on the submodule.
CIRCLE = [Line("app.high", "app.mid", "star"), Line("app.mid", "app.high.h1", "from")]


@bounded
@given(codebases.codebases(codebases.WRITTEN))
@example(CIRCLE)
def test_the_debt_of_layers_is_what_the_text_says(lines: list[Line]) -> None:
    with adopted(project(lines)) as shop:
        found = {key[1:] for key in shop.recorded("boundaries") if key[0] == "layers"}
    assert found == {(line.importer, line.imported) for line in lines if upward(line)}


@bounded
@given(codebases.codebases(AT_IMPORT, least=1), codebases.settings(), st.data())
def test_making_an_import_lazy_is_neither_new_nor_gone_for_boundaries(
    lines: list[Line], law: str, data: st.DataObject
) -> None:
    # One place for each pair: an import that stands twice stays as it was where only one of them is made lazy.
    pairs = {(line.importer, line.imported): line for line in lines}
    lazy = data.draw(st.sets(st.sampled_from(sorted(pairs)), min_size=1))
    after = [Line(ends[0], ends[1], "deferred") if ends in lazy else line for ends, line in pairs.items()]
    with adopted(project(pairs.values(), law)) as shop:
        shop.write(sources(after))
        assert shop.kinds("boundaries") == []
        assert shop("check", "boundaries").status == 0
        assert not [what for kind, what in shop.kinds("cycles") if kind in ("new", "grown", "returned")]


@bounded
@given(codebases.codebases(least=1), codebases.settings(), st.data())
def test_what_cannot_be_read_is_never_paid(lines: list[Line], law: str, data: st.DataObject) -> None:
    broken = data.draw(st.sampled_from(sorted({codebases.path_of(line.importer) for line in lines})))
    with adopted(project(lines, law)) as shop:
        documents = shop.documents()
        shop.write({broken: "def broken(:\n"})
        report = shop.report()
        assert (report["status"], report["exit_status"]) == ("not judged", 2)
        assert not [v for gate in report["gates"] for v in gate["violations"] if v["kind"] in ("gone", "shrunk")]
        assert shop("tighten").status == 2
        assert shop.documents() == documents


@bounded
@given(codebases.codebases(), st.data())
def test_init_with_a_file_that_cannot_be_read_records_nothing_partial(lines: list[Line], data: st.DataObject) -> None:
    broken = codebases.path_of(data.draw(st.sampled_from(codebases.MODULES)))
    with workshop({**project(lines), broken: "class (:\n"}) as shop:
        answer = shop("init")
        assert answer.status == 2
        assert broken in answer.err
        assert [name for name in shop.documents() if name.endswith(".jsonl")] == []
