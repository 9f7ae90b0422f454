"""A module that has another name, or none any more, takes its name along; one that leaves the law's reach is seen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.guard.laws import BARE, FORBIDDEN, GONE, Files, toml, widenings

TEXT = "import os\n\n\ndef first():\n    return 1\n\n\ndef second():\n    return os.sep\n"
CODE: dict[str, bytes | str] = {"src/app/a.py": TEXT, "src/app/b.py": "", "src/app/c.py": ""}
RENAMED: dict[str, bytes | str] = {"src/app/a.py": GONE, "src/app/z.py": TEXT}
DELETED: dict[str, bytes | str] = {"src/app/a.py": GONE}
TWO = FORBIDDEN.replace('["app.a"]', '["app.a", "app.c"]')


def law(text: str, *code: Mapping[str, bytes | str]) -> dict[str, bytes | str]:
    whole = {**toml(text), **CODE}
    for part in code:
        whole.update(part)
    return whole


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (law(TWO.replace("app.a", "app.z"), RENAMED), []),
        (law(TWO.replace('"app.a", ', ""), RENAMED), ["contract c.sources: 'app.a' was taken out"]),
        (law(TWO.replace('"app.a", ', ""), DELETED), []),
        (law(TWO.replace('"app.a", ', "")), ["contract c.sources: 'app.a' was taken out"]),
        (law(TWO.replace("app.a", "app.z"), {"src/app/z.py": ""}), ["contract c.sources: 'app.a' was taken out"]),
        (
            law(TWO.replace("app.a", "app.z"), {**RENAMED, "src/app/z.py": "def other():\n    return 2\n"}),
            ["contract c.sources: 'app.a' was taken out"],  # another module in its place
        ),
        (law(TWO.replace("app.a", "app.z"), {**RENAMED, "src/app/z.py": TEXT + "import app.z\n"}), []),
        (law(TWO.replace("app.a", "app.b"), DELETED), []),  # it was deleted, and more is held
    ],
)
def test_a_name_goes_with_its_module(after: Files, said: list[str]) -> None:
    assert widenings(law(TWO), after) == said


def test_several_modules_that_moved_keep_their_last_names() -> None:
    moved = {"src/app/a.py": GONE, "src/app/c.py": GONE, "src/app/n/a.py": TEXT, "src/app/n/c.py": ""}
    said = widenings(law(TWO), law(TWO.replace("app.a", "app.n.a").replace("app.c", "app.n.c"), moved))
    assert said == []


def test_a_package_that_was_renamed_is_known_by_all_that_is_in_it() -> None:
    before = law(TWO, {"src/app/a.py": GONE, "src/app/a/__init__.py": "", "src/app/a/x.py": "import app.a\n" + TEXT})
    gone: dict[str, bytes | str] = {"src/app/a/__init__.py": GONE, "src/app/a/x.py": GONE, "src/app/z/__init__.py": ""}
    after = {**before, **toml(TWO.replace("app.a", "app.z")), **gone}
    assert widenings(before, {**after, "src/app/z/x.py": "import app.z\n" + TEXT}) == []
    assert len(widenings(before, {**after, "src/app/z/y.py": "def other():\n    return 2\n"})) == 1


def test_members_of_a_renamed_package_go_with_it_whatever_their_names_are_elsewhere() -> None:
    """Two packages with modules of the same names become two others; what each imports has another name as well."""
    said = (
        '[[contracts]]\nid = "c"\nkind = "forbidden"\nsources = ["app.one.*", "app.two.api"]\nforbidden = ["app.one"]\n'
    )
    before, now = two_packages("one", "two"), two_packages("three", "four")
    old, renamed = law(said, before), law(said, now, dict.fromkeys(before, GONE))
    after = {**renamed, **toml(said.replace(".one", ".three").replace(".two", ".four"))}
    assert widenings(old, after) == []
    crossed = {**renamed, **toml(said.replace(".one", ".four").replace(".two", ".three"))}
    assert widenings(old, crossed)


def two_packages(first: str, second: str) -> dict[str, bytes | str]:
    files: dict[str, bytes | str] = {}
    for name, other, value in ((first, second, 1), (second, first, 2)):
        models = f"import app.{other}.models\nimport app.{name}.api\n\nVALUE = {value}\n"
        files |= {f"src/app/{name}/__init__.py": "", f"src/app/{name}/models.py": models}
        files[f"src/app/{name}/api.py"] = f"import app.{other}.models\nfrom app import {name}\n\nAPI = {value}\n"
    return files


def test_what_is_in_a_module_goes_with_it_and_a_function_with_its_text() -> None:
    ban = '[[bans.rules]]\nid = "b"\nnames = ["app.a.first"]\n'
    bans = BARE.replace('"cycles"', '"bans"') + ban
    before = {**CODE, "abutment.toml": bans}
    assert widenings(before, {**before, **RENAMED, "abutment.toml": bans.replace("app.a", "app.z")}) == []
    other = {"src/app/a.py": TEXT.replace("first", "primary"), "abutment.toml": bans.replace("first", "primary")}
    assert widenings(before, {**before, **other}) == []
    second = {**before, "abutment.toml": bans.replace("first", "second")}
    assert widenings(before, second) == ["bans.rules b.names: 'app.a.first' was taken out"]


def test_a_module_may_be_deleted_in_a_branch_that_renames_another_one() -> None:
    both: dict[str, bytes | str] = {**RENAMED, "src/app/c.py": GONE}
    only = FORBIDDEN.replace("app.a", "app.z")
    assert widenings(law(TWO, {"src/app/c.py": "c = 1\n"}), law(only, both)) == []
    assert widenings(law(TWO, {"src/app/c.py": "c = 1\n"}), law(only, both, {"src/app/d.py": "d = 1\n"})) == [
        "contract c.sources: 'app.c' was taken out"
    ]


GEN = {"src/app/gen/__init__.py": "", "src/app/gen/x.py": "import os\nimport sys\nX = 1\n", "src/app/gen.py": GONE}
MADE = {path.replace("/gen/", "/made/"): text for path, text in GEN.items()} | {"src/app/gen/__init__.py": GONE}
MADE["src/app/gen/x.py"] = GONE


@pytest.mark.parametrize(
    ("was", "now", "code", "is_renamed"),
    [
        ("src/app/gen/", "src/app/made/", {}, True),
        ("/src/app/gen/*.py", "/src/app/made/*.py", {}, True),
        ("src/app/gen/x.py", "src/app/made/x.py", {}, True),
        ("src/app/gen/x.py", "src/app/made/", {}, False),  # more than the file that it was
        ("src/app/gen/", "src/app/**", {}, False),
        ("src/app/gen/", "made/", {}, False),  # at any depth
        ("gen/", "made/", {}, False),
        ("src/app/gen/", "src/app/made/", {"src/app/gen/y.py": ""}, False),  # the old one is still there
        ("src/app/gen/", "src/app/made/", {"src/app/made/x.py": "other = 1\nthings = 2\nare = 3\n"}, False),
        ("src/app/gen/", "src/app/made/", {"src/app/made/__init__.py": GONE, "src/app/made/x.py": GONE}, False),
    ],
)
def test_an_exclusion_goes_with_its_folder(was: str, now: str, code: Files, is_renamed: bool) -> None:
    before = {"abutment.toml": f'exclude = ["{was}"]\n{BARE}', **CODE, **GEN}
    after = {"abutment.toml": f'exclude = ["{now}"]\n{BARE}', **CODE, **GEN, **MADE, **code}
    assert widenings(before, after) == ([] if is_renamed else [f"exclude: '{now}' was added"])


def test_an_exclusion_does_not_go_to_where_something_was() -> None:
    before = {"abutment.toml": f'exclude = ["src/app/gen/"]\n{BARE}', **CODE, **GEN, "src/app/made/y.py": "y = 1\n"}
    after = {**before, "abutment.toml": f'exclude = ["src/app/made/"]\n{BARE}', **MADE}
    assert "exclude: 'src/app/made/' was added" in widenings(before, after)


def test_layers_are_known_by_their_new_names() -> None:
    layers = '[[contracts]]\nid = "l"\nkind = "layers"\nlayers = ["app.c", "app.a | app.b"]\n'
    assert widenings(law(layers), law(layers.replace("app.a", "app.z"), RENAMED)) == []
    assert widenings(law(layers), law(layers.replace("app.a | ", ""), RENAMED))


ROOTS = 'roots = ["src"]\n'
ON, OFF = 'gates = ["bans", "cycles"]\n', 'gates = ["cycles"]\n'


@pytest.mark.parametrize(
    ("gone", "come", "before", "after", "said"),
    [
        ("bans", "", ON, OFF, "gate bans: went from on to off"),
        ("bans", "members", ON, 'gates = ["members", "cycles"]\n', "gate bans: went from on to off"),
        (
            "edges",
            "members",
            OFF + '[cycles]\nhold = "edges"\n',
            OFF + '[cycles]\nhold = "members"\n',
            "cycles.hold: went from edges to members",
        ),
        (
            "make",
            "true",
            OFF + '[guard]\ncommands = ["make"]\n',
            OFF + '[guard]\ncommands = ["true"]\n',
            "guard.commands: 'make' was taken out",
        ),
    ],
)
def test_a_module_takes_no_gate_option_or_command_of_its_name_along(
    gone: str, come: str, before: str, after: str, said: str
) -> None:
    old: dict[str, bytes | str] = {"abutment.toml": ROOTS + before, f"src/{gone}.py": TEXT}
    new = {"abutment.toml": ROOTS + after, **({f"src/{come}.py": TEXT} if come else {})}
    assert said in widenings(old, new)


WITH_TESTS = {
    "abutment.toml": 'roots = ["src", { path = "tests", role = "tests" }]\ngates = []\nexclude = ["src/old/"]\n'
}


@pytest.mark.parametrize("there", ["tests/a.py", "src/old/a.py", "tools/a.py"])
@pytest.mark.parametrize("text", [TEXT, TEXT + "x = 1\n"])
def test_a_module_that_moves_to_where_less_is_asked_is_seen(there: str, text: str) -> None:
    before = {**CODE, **WITH_TESTS, "tests/test_a.py": "", "src/old/b.py": ""}
    assert widenings(before, {**before, "src/app/a.py": GONE, there: text}) == [
        f"reach of src/app/a.py: was moved to {there}, where less is asked"
    ]
    assert widenings({**before, "src/app/a.py": GONE, there: text}, before) == []
    assert widenings(before, {**before, there: text}) == []  # a copy


def test_a_stub_in_the_place_of_a_module_that_moved_hides_nothing() -> None:
    before = {**CODE, **WITH_TESTS, "tests/test_a.py": ""}
    after = {**before, "src/app/a.py": "from a import *\n", "tests/a.py": TEXT}
    assert widenings(before, after) == ["reach of src/app/a.py: was moved to tests/a.py, where less is asked"]


def rooted(roots: str, *code: Mapping[str, bytes | str]) -> dict[str, bytes | str]:
    return {**law("", *code), "abutment.toml": f"roots = {roots}\ngates = []\n"}


INSIDE: dict[str, bytes | str] = {"src/app/__init__.py": GONE, **dict.fromkeys(CODE, GONE)}
MOVED: dict[str, bytes | str] = {**INSIDE, "lib/app/__init__.py": "", "lib/app/a.py": TEXT, "lib/app/b.py": ""}
COPIED: dict[str, bytes | str] = {path.replace("src/", "lib/"): data for path, data in CODE.items()}
COPIED["lib/app/__init__.py"] = ""


@pytest.mark.parametrize(
    ("roots", "code", "said"),
    [
        ('["src/app"]', {}, []),  # a package, whose modules are called as before
        ('["lib"]', {**MOVED, "lib/app/c.py": ""}, []),
        ('["lib"]', MOVED, []),  # one file was deleted as well
        ('["src", "src/app/d"]', {"src/app/d/e.py": ""}, []),
        (
            '["src/app/a.py"]',
            {},
            ["roots: 'src' was taken out", "roots: 'src/app/a.py' was added, which gives modules"],
        ),
        ('["lib"]', {"lib/app/a.py": TEXT}, ["roots: 'src' was taken out"]),
        ('["lib"]', COPIED, ["roots: 'src' was taken out"]),  # a decoy: all names are judged, and no file is
    ],
)
def test_roots_may_be_written_otherwise_while_every_file_is_judged_by_its_name(
    roots: str, code: Files, said: list[str]
) -> None:
    found = widenings(rooted('["src"]'), rooted(roots, code))
    assert len(found) == len(said)
    assert all(words.startswith(begin) for words, begin in zip(found, said, strict=True))


def test_a_module_that_is_rewritten_as_a_test_is_no_move() -> None:
    before = {**CODE, **WITH_TESTS, "tests/test_a.py": ""}
    other = "import pytest\n\n\ndef test_it():\n    assert True\n"
    assert widenings(before, {**before, "src/app/a.py": GONE, "tests/test_b.py": other}) == []
    assert widenings(before, {**before, "tests/test_b.py": TEXT}) == []
