"""The first user's reviewed cycles: a vendored package kept as it is, and debt that has to go."""

from __future__ import annotations

import pytest

from tests.laws.workshop import DOCUMENTS, Workshop, adopted

VENDOR = {
    "app/__init__.py": "",
    "app/vendor/__init__.py": "",
    "app/vendor/a.py": "import app.vendor.b\n",
    "app/vendor/b.py": "import app.vendor.c\n",
    "app/vendor/c.py": "import app.vendor.a\n",
    "app/core.py": "import app.vendor.a\n",
    "app/other.py": "",
}
RING = (("a", "b"), ("b", "c"), ("c", "a"))
LAW = 'roots = ["app"]\ngates = ["cycles"]\n'
MEMBERS = LAW + '\n[cycles]\nhold = "members"\n'


def approved(*keys: tuple[str, str, str]) -> dict[str, str]:
    entries = "".join(
        f'[[approvals]]\nreading = "{reading}"\nimporter = "{importer}"\nimported = "{imported}"\n'
        'class = "exception"\nowner = "vendor"\nreason = "Kept as it comes from upstream."\n\n'
        for reading, importer, imported in keys
    )
    return {f"{DOCUMENTS}/cycles.toml": "schema = 1\n\n" + entries}


EDGES = approved(*(("import", f"app.vendor.{a}", f"app.vendor.{b}") for a, b in RING))
PARTS = approved(*(("members", "app.vendor.a", f"app.vendor.{one}") for one in "abc"))


def reviewed(shop: Workshop) -> list[tuple[str, str]]:
    assert shop.recorded("cycles") == {}
    return shop.kinds("cycles")


@pytest.mark.parametrize(("law", "policy"), [(LAW, EDGES), (MEMBERS, PARTS)])
def test_a_contained_component_is_held_and_its_own_way_out_is_free(law: str, policy: dict[str, str]) -> None:
    with adopted({**VENDOR, **policy, "abutment.toml": law}) as shop:
        assert reviewed(shop) == []
        shop.write({"app/vendor/b.py": "import app.vendor.c\nimport app.other\nimport json\n"})
        shop.write({"app/core.py": "import app.vendor.a, app.vendor.b\n"})
        assert shop.kinds("cycles") == []


def edge(a: str, b: str) -> str:
    return f"import app.{a} app.{b}"


@pytest.mark.parametrize(
    ("files", "by_edges", "by_members"),
    [
        # A member more, by a way in and a way out.
        (
            {"app/vendor/c.py": "import app.vendor.a\nimport app.other\n", "app/other.py": "import app.vendor.b\n"},
            [("new", edge("other", "vendor.b")), ("new", edge("vendor.c", "other"))],
            [("new", "members app.vendor.a app.other")],
        ),
        # An edge more between the same members: a chord.
        ({"app/vendor/c.py": "import app.vendor.a, app.vendor.b\n"}, [("new", edge("vendor.c", "vendor.b"))], []),
        # A member less.
        (
            {"app/vendor/b.py": "import app.vendor.a\n"},
            [
                ("gone", edge("vendor.b", "vendor.c")),
                ("gone", edge("vendor.c", "vendor.a")),
                ("new", edge("vendor.b", "vendor.a")),
            ],
            [("gone", "members app.vendor.a app.vendor.c")],
        ),
        # It disappeared: the reviews have nothing left to speak of.
        (
            {"app/vendor/c.py": ""},
            [("gone", edge(f"vendor.{a}", f"vendor.{b}")) for a, b in RING],
            [("gone", f"members app.vendor.a app.vendor.{one}") for one in "abc"],
        ),
        # Another component in another root of the process is another matter.
        (
            {"app/core.py": "import app.other\n", "app/other.py": "import app.core\n"},
            [("new", edge("core", "other")), ("new", edge("other", "core"))],
            [("new", "members app.core app.core"), ("new", "members app.core app.other")],
        ),
    ],
)
def test_growth_shrinkage_and_disappearance_are_all_told(
    files: dict[str, str], by_edges: list[tuple[str, str]], by_members: list[tuple[str, str]]
) -> None:
    for law, policy, told in ((LAW, EDGES, by_edges), (MEMBERS, PARTS, by_members)):
        with adopted({**VENDOR, **policy, "abutment.toml": law}) as shop:
            shop.write(files)
            assert reviewed(shop) == sorted(told)
            assert shop("check").status == (1 if told else 0)
            assert shop("tighten").status == (2 if any(kind == "new" for kind, _what in told) else 0)


def test_one_module_cannot_be_reviewed_in_two_components() -> None:
    twice = approved(
        *(("members", "app.vendor.a", f"app.vendor.{one}") for one in "abc"),
        ("members", "app.vendor.b", "app.vendor.b"),
    )
    with adopted({**VENDOR, **twice, "abutment.toml": MEMBERS}) as shop:
        assert reviewed(shop) == [("gone", "members app.vendor.b app.vendor.b")]


def test_a_rename_of_debt_to_exception_is_no_way_to_more() -> None:
    law = {**VENDOR, "abutment.toml": LAW}
    with adopted(law) as shop:
        assert len(shop.recorded("cycles")) == 3
        shop.write(EDGES)  # now granted twice: stale, until our line goes
        assert [kind for kind, _what in shop.kinds("cycles")] == ["shrunk"] * 3
        assert shop("tighten").status == 0
        assert reviewed(shop) == []
        shop.write({"app/vendor/c.py": "import app.vendor.a, app.vendor.b\n"})
        assert shop.kinds("cycles") == [("new", edge("vendor.c", "vendor.b"))]


@pytest.mark.parametrize("word", ["temporary_debt", "contained_vendor"])
def test_the_originals_classes_are_refused_with_the_ones_there_are(word: str) -> None:
    policy = {path: text.replace('"exception"', f'"{word}"', 1) for path, text in EDGES.items()}
    with adopted({**VENDOR, "abutment.toml": LAW}) as shop:
        shop.write(policy)
        answer = shop("check")
        assert answer.status == 2
        assert f"{DOCUMENTS}/cycles.toml:7: " in answer.out
        assert f"expected one of exception, debt, found '{word}'" in answer.out
