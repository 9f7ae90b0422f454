"""What `init` takes as roots in trees that nobody has described."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from abutment.adopt.roots import FoundRoots, find_roots
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.ignore import IgnoreFile
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.tree import Entry
from abutment.sources.universe import Role, Root

TESTS = Role.TESTS


def found(
    *files: str, texts: dict[str, str] | None = None, given: Sequence[str] = (), folder_name: str = "project"
) -> FoundRoots:
    return find_roots(MemoryTree({**dict.fromkeys(files, ""), **(texts or {})}), given, folder_name)


def shown(*roots: Root) -> tuple[Root, ...]:
    return roots


@pytest.mark.parametrize(
    ("files", "roots"),
    [
        (["src/app/__init__.py", "setup.py", "docs/conf.py"], [Root("src")]),
        (["src/tool.py", "setup.py"], [Root("src")]),
        (["src/ns/app/__init__.py"], [Root("src")]),
        (["app/__init__.py", "setup.py", "docs/conf.py", "scripts/release.py"], [Root("app")]),
        (["app/__init__.py", "lib/__init__.py", "main.py"], [Root("app"), Root("lib")]),
        (["app/__init__.py", "src/lib/__init__.py"], [Root("app"), Root("src")]),
        (["app/__init__.pyi"], [Root("app")]),
        (["tool.py", "setup.py", "test_tool.py", "conftest.py"], [Root("tool.py")]),
        (["one.py", "two.py", "noxfile.py"], [Root("one.py"), Root("two.py")]),
        (["homeassistant/__init__.py", "homeassistant-2024.3.3.dist-info/METADATA"], [Root("homeassistant")]),
        (["pkg/__init__.py", "pkg.egg-info/x/__init__.py", ".hidden/x/__init__.py"], [Root("pkg")]),
        (["pkg/__init__.py", "env/pyvenv.cfg", "env/lib/x/__init__.py"], [Root("pkg")]),
        (["pkg/__init__.py", "node_modules/gyp/__init__.py"], [Root("pkg")]),
        (["build/__init__.py", "build/env.py"], [Root("build")]),
        (["libs/a/a/__init__.py", "libs/b/b/__init__.py"], [Root("libs/a/a"), Root("libs/b/b")]),
        (["backend/src/app/__init__.py", "frontend/index.js"], [Root("backend/src")]),
        (["backend/app/__init__.py", "run.py"], [Root("backend/app")]),
        (["app/routers/__init__.py", "app/main.py"], [Root("app")]),
        (["app/one.py", "app/two.py", "docs/conf.py"], [Root("app")]),
        (["src/__init__.py", "src/a.py"], [Root("src")]),
        (["src/one/pyproject.toml", "src/one/one/__init__.py"], [Root("src/one/one")]),
    ],
)
def test_a_layout_gives_its_roots(files: list[str], roots: list[Root]) -> None:
    assert found(*files).roots == tuple(roots)


@pytest.mark.parametrize(
    ("files", "roots"),
    [
        (["app/__init__.py", "tests/__init__.py", "tests/test_a.py"], [Root("app"), Root("tests", TESTS)]),
        (["app/__init__.py", "tests/unit/test_a.py"], [Root("app"), Root("tests", TESTS, "tests")]),
        (["app/__init__.py", "test/check.py"], [Root("app"), Root("test", TESTS, "test")]),
        (["app/__init__.py", "tests/data.txt"], [Root("app")]),
        (["app/__init__.py", "it_tests/test_a.py"], [Root("app"), Root("it_tests", TESTS, "it_tests")]),
        (["app/__init__.py", "ab_tests/variants.py"], [Root("app")]),
        (["app/__init__.py", "app/tests/test_a.py"], [Root("app"), Root("app/tests", TESTS, "app.tests")]),
        (["app/__init__.py", "app/test/client.py"], [Root("app")]),
        (["src/app/__init__.py", "src/app/tests/__init__.py", "src/app/tests/test_a.py"],
         [Root("src"), Root("src/app/tests", TESTS, "app.tests")]),
        (["src/app/__init__.py", "src/tests/conftest.py"], [Root("src"), Root("src/tests", TESTS, "tests")]),
        (["tool.py", "tests/test_tool.py"], [Root("tool.py"), Root("tests", TESTS, "tests")]),
    ],
)  # fmt: skip
def test_tests_are_a_root_of_their_own(files: list[str], roots: list[Root]) -> None:
    assert found(*files).roots == tuple(roots)


FIND = "[tool.setuptools.packages.find]\n"
HATCH = "[tool.hatch.build.targets.wheel]\n"
POETRY = "[tool.poetry]\npackages = [{include = 'app', from = 'lib'}, {include = 'g/c'}, {}]"


@pytest.mark.parametrize(
    ("text", "files", "roots"),
    [
        (FIND + "where = ['lib']", "lib/app/__init__.py", [Root("lib")]),
        ("[tool.setuptools]\npackage-dir = {'' = 'lib'}", "lib/app/__init__.py", [Root("lib")]),
        ("[tool.setuptools]\npackage-dir = {app = 'code'}", "code/x.py", [Root("code", package="app")]),
        ("[tool.setuptools]\npackages = ['app', 'app.sub']", "app/x.py", [Root("app", package="app")]),
        ("[tool.setuptools]\npy-modules = ['a', 'gone']", "a.py b.py", [Root("a.py"), Root("b.py")]),
        ("[tool.setuptools]\npy-modules = ['a']", "a.py b.py app/__init__.py", [Root("a.py"), Root("app")]),
        (HATCH + "packages = ['code/app']", "code/app/__init__.py", [Root("code/app")]),
        (HATCH + "packages = ['src/app']", "src/app/__init__.py src/x.py", [Root("src")]),
        (POETRY, "lib/app/__init__.py g/c/__init__.py", [Root("g/c", package="g.c"), Root("lib/app")]),
        ("[tool.pdm.build]\npackage-dir = 'code'", "code/app/__init__.py", [Root("code")]),
        ("[tool.maturin]\npython-source = 'python'", "python/app/__init__.py", [Root("python")]),
        ("[tool.uv.build-backend]\nmodule-root = 'code'", "code/app/__init__.py", [Root("code")]),
        ("[tool.flit.module]\nname = 'a'", "a.py b.py app/__init__.py", [Root("a.py"), Root("app")]),
        ("[tool.scikit-build]\nwheel.packages = ['py/app']", "py/app/__init__.py", [Root("py/app")]),
        # A hint that leads nowhere changes nothing.
        (FIND + "where = ['gone', '.', '../up', 'li*']", "app/__init__.py", [Root("app")]),
        (FIND + "where = ['empty']", "app/__init__.py empty/data.txt", [Root("app")]),
        ("tool = 'x'\nproject = 3", "app/__init__.py", [Root("app")]),
        # A folder that is said to hold packages is none itself, whatever it looks like.
        (FIND + "where = ['code']", "code/__init__.py code/app/__init__.py", [Root("code/app")]),
    ],
)
def test_a_pyproject_is_heard(text: str, files: str, roots: list[Root]) -> None:
    assert found(*files.split(), texts={"pyproject.toml": text}).roots == tuple(sorted(roots))


@pytest.mark.parametrize(
    ("text", "files", "roots"),
    [
        ("[options]\npackage_dir =\n    =lib", "lib/app/__init__.py lib/x.py", [Root("lib")]),
        ("[options]\npackage_dir =\n    =lib\npy_modules = a", "lib/a.py b.py", [Root("lib")]),
        ("[options.packages.find]\nwhere = lib", "lib/app/__init__.py", [Root("lib")]),
        ("[options]\npy_modules = a, gone", "a.py b.py app/__init__.py", [Root("a.py"), Root("app")]),
        ("[metadata]\nname = google-cloud-x", "google/cloud/x/__init__.py", [Root("google", package="google")]),
    ],
)
def test_a_setup_cfg_is_heard(text: str, files: str, roots: list[Root]) -> None:
    assert found(*files.split(), texts={"setup.cfg": text}).roots == tuple(sorted(roots))


@pytest.mark.parametrize(
    ("texts", "roots"),
    [
        ({"app/main.py": "from app.db import x", "app/db.py": ""}, [Root("app", package="app")]),
        ({"app/db.py": "", "main.py": "import app.db"}, [Root("app", package="app"), Root("main.py")]),
        ({"app/main.py": "from application import x\nimport apple"}, [Root("app")]),
        ({"app/main.py": "# import app"}, [Root("app")]),
        ({"g/c/x/__init__.py": "", "g/c/x/a.py": "from g.c import x"}, [Root("g", package="g")]),
        ({"back/app/main.py": "from app import db", "back/app/db.py": ""}, [Root("back/app", package="app")]),
    ],
)  # fmt: skip
def test_a_folder_without_init_has_the_name_by_which_it_is_imported(texts: dict[str, str], roots: list[Root]) -> None:
    assert found(texts=texts).roots == tuple(roots)


def test_every_project_of_a_monorepo_is_found() -> None:
    result = found(
        "pyproject.toml",
        *(f"packages/{name}/{file}" for name in ("a", "my-b") for file in ("pyproject.toml", "tests/test_x.py")),
        "packages/a/src/a/__init__.py",
        "packages/my-b/my_b/__init__.py",
        "packages/c/setup.py",
        "packages/c/c.py",
        "examples/shop/pyproject.toml",
        "examples/shop/shop/__init__.py",
    )
    assert result.roots == shown(
        Root("packages/a/src"),
        Root("packages/c/c.py"),
        Root("packages/my-b/my_b"),
        Root("packages/a/tests", TESTS, "tests"),
        Root("packages/my-b/tests", TESTS, "packages.my_b.tests"),
    )


def test_two_programs_with_one_name_are_not_taken_for_one() -> None:
    result = found("a/setup.py", "a/app/__init__.py", "b/setup.py", "b/app/__init__.py", "b/other/__init__.py")
    assert result.roots == shown(Root("a/app"))
    assert result.unchecked == ("b",)
    assert result.not_taken == (
        "b/app: a/app has a module `app` as well, and one configuration judges one program. "
        "It needs a configuration of its own.",
        "b/other: belongs to b, which is left out as a whole",
    )


@pytest.mark.parametrize("more", [[], ["services/a/pyproject.toml", "services/b/pyproject.toml"]])
def test_a_project_that_is_left_out_takes_its_tests_along(more: list[str]) -> None:
    files = [f"services/{name}/{path}" for name in "ab" for path in ("app/__init__.py", "tests/test_app.py")]
    result = found(*files, *more)
    assert result.roots == shown(Root("services/a/app"), Root("services/a/tests", TESTS, "tests"))
    assert result.unchecked == ("services/b",)


@pytest.mark.parametrize(
    ("files", "texts", "root"),
    [
        (["__init__.py", "a.py", "sub/__init__.py"], {}, Root(".", package="project")),
        (["__init__.py", "setup.py"], {"a.py": "from project import core"}, Root(".", package="project")),
        (["__init__.py", "pyproject.toml", "app/__init__.py"], {}, Root("app")),
        (["__init__.py", "pyproject.toml"], {}, Root(".", package="project")),
    ],
)
def test_the_folder_itself_may_be_the_package(files: list[str], texts: dict[str, str], root: Root) -> None:
    assert found(*files, texts=texts).roots == (root,)


def test_a_folder_whose_name_is_no_identifier_is_no_package() -> None:
    assert found("__init__.py", "app/__init__.py", folder_name="my-project").roots == (Root("app"),)


def test_given_roots_win() -> None:
    result = found("src/a/__init__.py", "lib/b.py", "tests/test_a.py", "x.py", given=["lib/", "./tests", "x.py", "."])
    assert result.roots == shown(Root("lib"), Root("tests", TESTS, "tests"), Root("x.py"), Root("."))
    assert result.evidence[0] == "lib: given by --root"


def test_every_given_root_that_does_not_exist_is_named() -> None:
    with pytest.raises(NotJudged) as refusal:
        found("src/a/__init__.py", "notes.txt", given=["srk", "../up", "/abs", "src", "notes.txt"])
    assert [fault.message for fault in refusal.value.faults] == [
        "--root srk is no folder and no Python file.",
        "--root ../up lies outside the project.",
        "--root /abs lies outside the project.",
        "--root notes.txt is no folder and no Python file.",
    ]


@pytest.mark.parametrize("files", [[], ["README.md", "docs/index.rst"], ["tests/test_a.py"], ["setup.py"]])
def test_nothing_found_is_not_judged_and_says_where_it_looked(files: list[str]) -> None:
    with pytest.raises(NotJudged) as refusal:
        found(*files)
    (fault,) = refusal.value.faults
    assert fault.message.startswith("No Python code was found to take as a root")
    assert fault.message.endswith(
        {"README.md": "docs/.", "tests/test_a.py": "tests/."}.get("".join(files[:1]), "no folders.")
    )
    assert "--root PATH" in fault.remedy


def test_a_packaging_file_that_cannot_be_read_is_named_and_stops_nothing() -> None:
    texts = {"pyproject.toml": "[tool", "setup.cfg": "no section\n"}
    result = found("app/__init__.py", texts=texts)
    assert result.roots == (Root("app"),)
    assert [line.partition(" could")[0] for line in result.not_taken] == ["pyproject.toml", "setup.cfg"]


def test_evidence_says_why_each_root_is_one() -> None:
    result = found("src/a/__init__.py", *(f"src/m{n}.py" for n in range(7)), "tests/test_a.py")
    assert result.evidence == (
        "src: a folder of modules (a, m0.py, m1.py, m2.py, m3.py, m4.py and 2 more)",
        "tests: a folder of tests (its own root, off for contracts)",
    )


class LockedTree(MemoryTree):
    """A tree of which one folder and one file cannot be read."""

    def list(self, directory: str) -> tuple[Entry, ...]:
        if directory == "secret":
            raise NotJudged(Fault("secret", 0, "the folder cannot be read: Permission denied."))
        return super().list(directory)

    def read(self, path: str) -> bytes:
        if path == "app/locked.py":
            raise NotJudged(Fault(path, 0, "the file cannot be read: Permission denied."))
        return super().read(path)


def test_a_folder_that_cannot_be_read_is_named() -> None:
    tree = LockedTree({"app/locked.py": "", "app/x.py": "import app.locked", "secret/a.py": ""})
    result = find_roots(tree)
    assert result.roots == (Root("app", package="app"),)
    assert result.not_taken == ("secret: the folder cannot be read: Permission denied.",)


def test_linked_folders_are_no_second_root() -> None:
    tree = MemoryTree({"app/__init__.py": ""}, links={"alias": "app"})
    assert find_roots(tree).roots == (Root("app"),)


def test_the_evidence_for_a_spelling_is_bounded() -> None:
    texts = {f"app/m{number:04}.py": "" for number in range(500)} | {"app/z.py": "import app"}
    assert find_roots(MemoryTree(texts)).roots == (Root("app"),)


@pytest.mark.parametrize(
    ("texts", "roots"),
    [
        ({".gitignore": "made/\n"}, [Root("app")]),
        ({".gitignore": "/made\n!/made/kept.py\n"}, [Root("app")]),
        ({".gitignore": "*.py\n!app/*.py\n"}, [Root("app")]),
        ({".gitignore": "elsewhere/\n"}, [Root("app"), Root("made")]),
        ({"made/.gitignore": "*\n"}, [Root("app")]),
    ],
)
def test_what_git_ignores_is_not_found(texts: dict[str, str], roots: list[Root]) -> None:
    assert found("app/__init__.py", "made/__init__.py", texts=texts).roots == tuple(roots)


def test_what_git_tracks_is_found_although_a_pattern_ignores_it() -> None:
    tree = MemoryTree({"app/__init__.py": "", "made/__init__.py": "", ".gitignore": "made/\n"})
    assert find_roots(tree, tracked=frozenset({"made/__init__.py"})).roots == shown(Root("app"), Root("made"))


def test_patterns_from_above_the_tree_count() -> None:
    tree = MemoryTree({"app/__init__.py": "", "made/__init__.py": ""})
    assert find_roots(tree, outer=[IgnoreFile(["made/"])]).roots == (Root("app"),)


def test_an_ignored_folder_may_be_given() -> None:
    assert found("made/__init__.py", texts={".gitignore": "made/\n"}, given=["made"]).roots == (Root("made"),)
