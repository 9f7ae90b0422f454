"""Every Python file is accounted for, and has the name under which Python imports it."""

from __future__ import annotations

import importlib.machinery
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.discovery import discover
from abutment.sources.ignore import IgnoreFile
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.tree import Entry
from abutment.sources.universe import CasePair, Role, Root, Shadow, Universe
from abutment.sources.work_tree import WorkTree


def found(
    files: Iterable[str] | Mapping[str, str],
    roots: Sequence[Root | str] = (".",),
    exclude: Sequence[str] = (),
    tracked: Iterable[str] | None = None,
    *,
    links: Mapping[str, str] | None = None,
    outer: Sequence[IgnoreFile] = (),
) -> Universe:
    contents = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    return discover(
        MemoryTree(contents, links),
        [root if isinstance(root, Root) else Root(root) for root in roots],
        exclude,
        None if tracked is None else frozenset(tracked),
        outer=outer,
    )


def modules(universe: Universe) -> dict[str, str]:
    return {file.path: file.module for file in universe.files}


def known(universe: Universe) -> dict[str, str]:
    return {module.module: module.kind for module in universe.known}


def left_out(universe: Universe) -> dict[str, str]:
    return dict(universe.left_out)


# --- layouts


@pytest.mark.parametrize(
    ("files", "roots", "expected"),
    [
        # src layout, several packages, a single module
        (
            ["src/a/__init__.py", "src/a/b.py", "src/c/__init__.py", "src/tool.py"],
            ["src"],
            {"src/a/__init__.py": "a", "src/a/b.py": "a.b", "src/c/__init__.py": "c", "src/tool.py": "tool"},
        ),
        # flat layout
        (
            ["a/__init__.py", "a/__main__.py", "setup.py"],
            ["."],
            {"a/__init__.py": "a", "a/__main__.py": "a.__main__", "setup.py": "setup"},
        ),
        # a root that is a package names that package
        (
            ["django/__init__.py", "django/db/x.py"],
            ["django"],
            {"django/__init__.py": "django", "django/db/x.py": "django.db.x"},
        ),
        (["lib/deep/pkg/__init__.py"], ["lib/deep/pkg"], {"lib/deep/pkg/__init__.py": "pkg"}),
        # a root that is a file
        (["bin/tool.py", "bin/other.py"], ["bin/tool.py"], {"bin/tool.py": "tool"}),
        (["a/__init__.py", "a/tool.py"], ["a/tool.py"], {"a/tool.py": "a.tool"}),
        (["a/__init__.py", "a/b.py"], ["a/__init__.py"], {"a/__init__.py": "a"}),
        # the configured package wins
        (["lib/x.py"], [Root("lib", package="google.cloud")], {"lib/x.py": "google.cloud.x"}),
        (["lib/__init__.py"], [Root("lib", package="a.b")], {"lib/__init__.py": "a.b"}),
        (["__init__.py", "x.py"], [Root(".", package="whole")], {"__init__.py": "whole", "x.py": "whole.x"}),
        (["t.py"], [Root("t.py", package="a.b")], {"t.py": "a.b"}),
        # at the top of a folder that is no package, `__init__` is a module like any other
        (["__init__.py", "x.py"], ["."], {"__init__.py": "__init__", "x.py": "x"}),
        # a package root inside a package has its whole name
        (
            ["src/app/__init__.py", "src/app/tests/__init__.py", "src/app/tests/t.py", "src/app/x.py"],
            ["src", Root("src/app/tests", Role.TESTS)],
            {
                "src/app/__init__.py": "app",
                "src/app/tests/__init__.py": "app.tests",
                "src/app/tests/t.py": "app.tests.t",
                "src/app/x.py": "app.x",
            },
        ),
        # an inner root that is no package begins names anew
        (
            ["a/__init__.py", "a/tests/t.py"],
            ["a", Root("a/tests", Role.TESTS)],
            {"a/__init__.py": "a", "a/tests/t.py": "t"},
        ),
        # stubs that stand alone
        (["a/__init__.py", "a/c.pyi"], ["a"], {"a/__init__.py": "a", "a/c.pyi": "a.c"}),
    ],
)
def test_a_file_has_the_name_of_its_layout(files: list[str], roots: list[Root | str], expected: dict[str, str]) -> None:
    universe = found(files, roots)
    assert modules(universe) == expected
    assert not universe.shadows
    assert not universe.not_judged


def test_an_inner_root_has_its_files_and_their_role() -> None:
    universe = found(
        ["app/__init__.py", "app/tests/t.py", "app/one_test.py"],
        ["app", Root("app/tests", Role.TESTS), Root("app/one_test.py", Role.TESTS)],
    )
    assert {file.path: file.role for file in universe.files} == {
        "app/__init__.py": Role.SOURCE,
        "app/one_test.py": Role.TESTS,
        "app/tests/t.py": Role.TESTS,
    }
    assert modules(universe)["app/one_test.py"] == "app.one_test"


def test_packages_are_told_from_modules() -> None:
    universe = found(["a/__init__.py", "a/__main__.py", "a/b.py", "c/__init__.pyi"])
    assert {file.module: (file.is_package, file.suffix) for file in universe.files} == {
        "a": (True, ".py"),
        "a.__main__": (False, ".py"),
        "a.b": (False, ".py"),
        "c": (True, ".pyi"),
    }


def test_the_order_of_files_is_that_of_their_paths() -> None:
    universe = found(["b.py", "a/z.py", "a.py", "a/__init__.py", "a-b.py"], ["."])
    assert [file.path for file in universe.files] == sorted(file.path for file in universe.files)


# --- namespaces


def test_a_directory_without_init_is_part_of_the_name() -> None:
    universe = found(["t/__init__.py", "t/hides/raw/cure.py", "t/docs/readme.txt"], ["t"])
    assert modules(universe)["t/hides/raw/cure.py"] == "t.hides.raw.cure"
    assert known(universe) == {"t.hides": "namespace", "t.hides.raw": "namespace"}
    assert [(m.path, m.is_package) for m in universe.known] == [("t/hides", True), ("t/hides/raw", True)]


def test_namespace_directories_of_several_roots_are_one_module() -> None:
    universe = found(["one/ns/a.py", "two/ns/b.py", "two/ns/sub/c.py"], ["one", "two"])
    assert modules(universe) == {"one/ns/a.py": "ns.a", "two/ns/b.py": "ns.b", "two/ns/sub/c.py": "ns.sub.c"}
    assert known(universe) == {"ns": "namespace", "ns.sub": "namespace"}


def test_a_root_below_a_namespace_makes_the_namespace_known() -> None:
    universe = found(
        ["lib/x.py", "other/__init__.py"], [Root("lib", package="google.cloud"), Root("other", package="google.api")]
    )
    assert known(universe) == {"google": "namespace", "google.cloud": "namespace"}
    assert universe.top_names == {"google"}


def test_directories_that_hold_no_module_are_nothing() -> None:
    assert known(found(["a/__init__.py", "a/static/x.js", "a/deep/er/y.css"])) == {}


# --- one name, several files


PACKAGE, MODULE, STUBBED = "s/x/__init__.py", "s/x.py", "s/x.pyi"
SO = "s/x.cpython-311-x86_64-linux-gnu.so"


@pytest.mark.parametrize(
    ("files", "named", "shadows", "out"),
    [
        ([PACKAGE, MODULE], {PACKAGE: "s.x", MODULE: MODULE}, [Shadow("s.x", MODULE, PACKAGE)], {}),
        # a bare directory never wins, and then nothing in it can be reached
        (
            [MODULE, "s/x/a.py", "s/x/deep/b.py"],
            {MODULE: "s.x", "s/x/a.py": "s/x/a.py", "s/x/deep/b.py": "s/x/deep/b.py"},
            [Shadow("s.x.a", "s/x/a.py", MODULE), Shadow("s.x.deep.b", "s/x/deep/b.py", MODULE)],
            {},
        ),
        # stubs beside source
        ([MODULE, STUBBED], {MODULE: "s.x"}, [], {STUBBED: "stub beside source"}),
        ([PACKAGE, STUBBED], {PACKAGE: "s.x"}, [], {STUBBED: "stub beside source"}),
        ([PACKAGE, "s/x/__init__.pyi"], {PACKAGE: "s.x"}, [], {"s/x/__init__.pyi": "stub beside source"}),
        ([STUBBED, SO], {STUBBED: "s.x"}, [], {}),
        # a module and a directory of stubs: what runs is the module
        (
            [MODULE, "s/x/__init__.pyi", "s/x/y.pyi"],
            {MODULE: "s.x"},
            [],
            {"s/x/__init__.pyi": "stub beside source", "s/x/y.pyi": "stub beside source"},
        ),
        # stubs for a directory that is a namespace when it runs
        ([STUBBED, "s/x/a.py"], {STUBBED: "s.x", "s/x/a.py": "s.x.a"}, [], {}),
        (
            ["s/x/__init__.pyi", STUBBED, "s/x/a.py"],
            {"s/x/__init__.pyi": "s.x", "s/x/a.py": "s.x.a"},
            [],
            {STUBBED: "stub beside source"},
        ),
        # an extension beside the source it was compiled from: the facts are the source's, and it is said
        ([MODULE, SO], {MODULE: "s.x"}, [Shadow("s.x", MODULE, SO)], {}),
        ([PACKAGE, "s/x/__init__.so"], {PACKAGE: "s.x"}, [Shadow("s.x", PACKAGE, "s/x/__init__.so")], {}),
        ([PACKAGE, SO], {PACKAGE: "s.x"}, [], {}),
    ],
)
def test_python_reads_one_file_a_name(
    files: list[str], named: dict[str, str], shadows: list[Shadow], out: dict[str, str]
) -> None:
    universe = found(["s/__init__.py", *files], ["s"])
    assert modules(universe) == {"s/__init__.py": "s", **named}
    assert list(universe.shadows) == shadows
    assert left_out(universe) == out


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["s/_x.cpython-311-x86_64-linux-gnu.so"], {"s._x": ("extension", False)}),
        (["s/_x.pyd"], {"s._x": ("extension", False)}),
        (["s/_x.abi3.so", "s/_x.cpython-312-darwin.so"], {"s._x": ("extension", False)}),
        (["s/x/__init__.abi3.so"], {"s.x": ("extension", True)}),
        (["s/x/_y.so"], {"s.x": ("namespace", True), "s.x._y": ("extension", False)}),
    ],
)
def test_a_lone_extension_is_a_known_module(files: list[str], expected: dict[str, tuple[str, bool]]) -> None:
    universe = found(["s/__init__.py", *files], ["s"])
    assert {m.module: (m.kind, m.is_package) for m in universe.known} == expected


def test_the_first_root_wins_as_on_the_path() -> None:
    universe = found(["one/x.py", "two/x.py", "two/y.py"], ["one", "two"])
    assert modules(universe) == {"one/x.py": "x", "two/x.py": "two/x.py", "two/y.py": "y"}
    assert list(universe.shadows) == [Shadow("x", "two/x.py", "one/x.py")]


def test_a_package_in_a_later_root_wins_over_a_bare_directory() -> None:
    universe = found(["one/x/a.py", "two/x/__init__.py"], ["one", "two"])
    assert modules(universe) == {"one/x/a.py": "one/x/a.py", "two/x/__init__.py": "x"}
    assert list(universe.shadows) == [Shadow("x.a", "one/x/a.py", "two/x/__init__.py")]


def test_stubs_in_a_root_of_their_own_stand_beside_the_source() -> None:
    universe = found(["src/x.py", "typings/x.pyi", "typings/y.pyi"], ["src", "typings"])
    assert modules(universe) == {"src/x.py": "x", "typings/y.pyi": "y"}
    assert left_out(universe) == {"typings/x.pyi": "stub beside source"}


def test_a_root_below_a_mere_module_cannot_be_reached() -> None:
    universe = found(["a.py", "lib/x.py"], ["a.py", Root("lib", package="a.b")])
    assert modules(universe) == {"a.py": "a", "lib/x.py": "lib/x.py"}


@pytest.mark.parametrize(
    ("files", "pairs"),
    [
        (["a/Utils.py", "a/utils.py"], [CasePair("a.utils", "a/utils.py", "a/Utils.py")]),
        (["a/X/m.py", "a/x/n.py"], [CasePair("a.x", "a/x", "a/X")]),
        (["a/x/n.py", "a/X.py"], []),  # no file system takes the one for the other
        (
            ["a/AB.py", "a/Ab.py", "a/ab.py"],
            [CasePair("a.Ab", "a/Ab.py", "a/AB.py"), CasePair("a.ab", "a/ab.py", "a/AB.py")],
        ),
        (["a/x.py", "b/X.py"], []),
        (["a/__init__.py", "a/__INIT__.py"], [CasePair("a", "a/__init__.py", "a/__INIT__.py")]),
        (["T.py", "t.py"], [CasePair("t", "t.py", "T.py")]),
    ],
)
def test_names_that_differ_by_case_only_are_pairs(files: list[str], pairs: list[CasePair]) -> None:
    assert list(found(files).case_pairs) == pairs


# --- names no statement can write


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("depot/2fa/codes.py", "depot.2fa.codes"),
        ("depot/class.py", "depot.class"),
        ("depot/tools/fix-names.py", "depot.tools.fix-names"),
        ("depot/tools/my notes.py", "depot.tools.my notes"),
        ("depot/été.py", "depot.été"),
        ("depot/tools/old.v1.py", "depot/tools/old.v1.py"),
        ("depot/v1.2/x.py", "depot/v1.2/x.py"),
        ("depot/v1.2/__init__.py", "depot/v1.2/__init__.py"),
        ("old.v1.py", "./old.v1.py"),
        ("x.y/sub/z.py", "x.y/sub/z.py"),
        ("x.y/z.pyi", "x.y/z.pyi"),
    ],
)
def test_what_no_dotted_name_can_reach_has_its_path_as_name(path: str, module: str) -> None:
    universe = found([path, "depot/__init__.py"])
    assert modules(universe)[path] == module
    assert not universe.shadows
    assert all("/" not in name for name in universe.top_names)


def test_a_file_with_dots_is_not_the_module_it_looks_like() -> None:
    universe = found(["t/__init__.py", "t/old.v1.py", "t/old/__init__.py", "t/old/v1.py"])
    assert modules(universe)["t/old.v1.py"] == "t/old.v1.py"
    assert modules(universe)["t/old/v1.py"] == "t.old.v1"


def test_a_root_with_a_dot_in_its_name_cannot_be_imported() -> None:
    assert modules(found(["a.b/__init__.py", "a.b/x.py"], ["a.b"])) == {
        "a.b/__init__.py": "a.b/__init__.py",
        "a.b/x.py": "a.b/x.py",
    }
    assert modules(found(["a.b.py"], ["a.b.py"])) == {"a.b.py": "./a.b.py"}


def test_a_stub_beside_its_unreachable_source_is_left_out() -> None:
    universe = found(["a.b/x.py", "a.b/x.pyi"])
    assert left_out(universe) == {"a.b/x.pyi": "stub beside source"}


# --- what is left out


@pytest.mark.parametrize(
    ("files", "out"),
    [
        (["v/pyvenv.cfg", "v/lib/x.py"], {"v/": "virtual environment"}),
        (["c/conda-meta/history", "c/lib/x.py"], {"c/": "virtual environment"}),
        (["site-packages/x.py"], {"site-packages/": "site-packages"}),
        (["web/node_modules/gyp/x.py"], {"web/node_modules/": "node_modules"}),
        ([".tox/x.py"], {".tox/": "hidden"}),
        ([".hidden.py"], {".hidden.py": "hidden"}),
        (["build/lib/x.py"], {"build/": "build"}),
        (["dist/x.py"], {"dist/": "dist"}),
        (["n/report.ipynb"], {"n/report.ipynb": "notebook"}),
    ],
)
@pytest.mark.parametrize("tracked", [None, ()])
def test_built_in_rules_leave_out_and_say_so(
    files: list[str], out: dict[str, str], tracked: Sequence[str] | None
) -> None:
    universe = found([*files, "ok.py"], tracked=tracked)
    assert modules(universe) == {"ok.py": "ok"}
    assert left_out(universe) == out


def test_a_package_in_a_root_is_code_whatever_its_name() -> None:
    files = [
        "app/__init__.py",
        "app/build/__init__.py",
        "app/build/x.py",
        "app/dist/__init__.pyi",
        "app/.h/__init__.py",
    ]
    universe = found([*files, "app/build/dist/y.py"], ["app"])
    assert modules(universe) == {
        "app/.h/__init__.py": "app/.h/__init__.py",
        "app/__init__.py": "app",
        "app/build/__init__.py": "app.build",
        "app/build/x.py": "app.build.x",
        "app/dist/__init__.pyi": "app.dist",
    }
    assert left_out(universe) == {"app/build/dist/": "dist"}


def test_what_git_tracks_is_never_left_out_by_a_built_in_rule() -> None:
    files = [
        "build/gen.py",
        "build/other.py",
        "build/deep/x.py",
        "build/empty/y.py",
        ".ci/z.py",
        ".w.py",
        "v/pyvenv.cfg",
        "v/a.py",
    ]
    universe = found(files, tracked=["build/gen.py", "build/deep/x.py", ".ci/z.py", ".w.py", "v/a.py"])
    assert modules(universe) == {
        ".ci/z.py": ".ci/z.py",
        ".w.py": "./.w.py",
        "build/deep/x.py": "build.deep.x",
        "build/gen.py": "build.gen",
        "v/a.py": "v.a",
    }
    assert left_out(universe) == {"build/empty/": "build", "build/other.py": "build"}


def test_a_configured_root_is_looked_into_whatever_its_name() -> None:
    universe = found([".github/scripts/x.py", ".github/y.py", "build/z.py"], [".github/scripts", "build"])
    assert modules(universe) == {".github/scripts/x.py": "x", "build/z.py": "z"}
    assert left_out(universe) == {".github/y.py": "outside the roots"}


def test_what_lies_outside_of_the_roots_is_counted() -> None:
    universe = found(["src/a.py", "setup.py", "docs/conf.py", "docs/x.ipynb", "docs/_x.so", ".git/h.py"], ["src"])
    assert left_out(universe) == {
        ".git/": "hidden",
        "docs/conf.py": "outside the roots",
        "docs/x.ipynb": "outside the roots",
        "setup.py": "outside the roots",
    }


def test_excluded_files_are_known_but_not_read() -> None:
    files = [
        "a/__init__.py",
        "a/old/__init__.py",
        "a/old/x.py",
        "a/old/x.so",
        "a/gen_pb2.py",
        "a/gen_pb2.pyi",
        "a/k.py",
    ]
    universe = found(files, ["a"], ["old/", "*_pb2.py*", "k.py", "!k.py"])
    assert modules(universe) == {"a/__init__.py": "a", "a/k.py": "a.k"}
    assert known(universe) == {"a.old": "excluded", "a.old.x": "excluded", "a.gen_pb2": "excluded"}
    assert left_out(universe) == dict.fromkeys(
        ["a/gen_pb2.py", "a/gen_pb2.pyi", "a/old/__init__.py", "a/old/x.py"], "exclude"
    )


def test_exclude_is_the_users_word_also_for_tracked_files() -> None:
    universe = found(["a.py", "b.py"], exclude=["a.py"], tracked=["a.py", "b.py"])
    assert modules(universe) == {"b.py": "b"}


def test_an_excluded_extension_and_a_stub_of_it() -> None:
    assert known(found(["a/__init__.py", "a/_x.so"], ["a"], ["*.so"])) == {"a._x": "excluded"}


# --- .gitignore


def test_ignored_files_in_a_root_are_known_as_generated() -> None:
    files = {
        ".gitignore": "*_pb2.py\n/a/gen/\n_v.so",
        "a/__init__.py": "",
        "a/x_pb2.py": "",
        "a/gen/y.py": "",
        "a/_v.so": "",
    }
    universe = found(files, ["a"])
    assert modules(universe) == {"a/__init__.py": "a"}
    assert known(universe) == {
        "a.gen": "namespace",
        "a.gen.y": "generated",
        "a.x_pb2": "generated",
        "a._v": "generated",
    }
    assert left_out(universe) == {"a/gen/y.py": "ignored by .gitignore", "a/x_pb2.py": "ignored by .gitignore"}


def test_a_tracked_file_is_never_taken_for_generated() -> None:
    files = {".gitignore": "gen/\n*_pb2.py", "a/gen/x.py": "", "a/gen/y.py": "", "a/z_pb2.py": "", "a/w_pb2.py": ""}
    universe = found(files, tracked=["a/gen/x.py", "a/z_pb2.py"])
    assert modules(universe) == {"a/gen/x.py": "a.gen.x", "a/z_pb2.py": "a.z_pb2"}
    assert known(universe)["a.gen.y"] == known(universe)["a.w_pb2"] == "generated"


def test_without_git_an_ignored_package_counts_as_code() -> None:
    files = {".gitignore": "build/\n*_pb2.py", "a/__init__.py": "", "a/build/__init__.py": "", "a/build/x_pb2.py": ""}
    assert modules(found(files, ["a"])) == {"a/__init__.py": "a", "a/build/__init__.py": "a.build"}
    assert known(found(files, ["a"])) == {"a.build.x_pb2": "generated"}
    assert modules(found(files, ["a"], tracked=["a/__init__.py"])) == {"a/__init__.py": "a"}


def test_the_nearest_gitignore_decides() -> None:
    files = {
        ".gitignore": "*.py\n!keep/",
        "a/.gitignore": "!x.py\n/sub/",
        "a/x.py": "",
        "a/y.py": "",
        "a/sub/x.py": "",
        "b/x.py": "",
    }
    assert modules(found(files)) == {"a/x.py": "a.x"}


def test_ignored_folders_outside_of_the_roots_are_not_looked_into() -> None:
    universe = found({".gitignore": "/out/", "out/deep/x.py": "", "src/a.py": ""}, ["src"])
    assert left_out(universe) == {"out/": "ignored by .gitignore"}


def test_an_ignored_root_is_read_because_it_was_named() -> None:
    for pattern in ("/out/", "/out/**", "out"):
        universe = found({".gitignore": pattern, "out/gen/x.py": "", "out/y.py": ""}, ["out/gen"])
        assert modules(universe) == {"out/gen/x.py": "x"}, pattern
    assert modules(found({".gitignore": "t.py", "t.py": ""}, ["t.py"])) == {"t.py": "t"}
    inner = {"a/.gitignore": "gen/", "a/gen/sub/x.py": "", "a/gen/y.py": "", "a/z.py": ""}
    assert modules(found(inner, ["a", "a/gen/sub"])) == {"a/gen/sub/x.py": "x", "a/z.py": "z"}


def test_patterns_from_above_count_too_and_those_inside_decide() -> None:
    files = {".gitignore": "!kept.py", "gen.py": "", "kept.py": "", "ok.py": ""}
    universe = found(files, outer=[IgnoreFile(["/p/gen.py", "kept.py"], above="p")])
    assert modules(universe) == {"kept.py": "kept", "ok.py": "ok"}
    assert known(universe) == {"gen": "generated"}


def test_what_was_generated_never_decides_over_what_was_written() -> None:
    files = {
        ".gitignore": "*.so\nx.py\n/y/\ni/__init__.py",
        "x.py": "",
        "x/a.py": "",
        "z.py": "",
        "z.so": "",
        "y.py": "",
    }
    universe = found({**files, "y/__init__.py": "", "i/__init__.py": "", "i/__init__.pyi": "", "x.pyi": ""}, tracked=[])
    assert modules(universe) == {
        "i/__init__.pyi": "i",
        "x.pyi": "x",
        "x/a.py": "x.a",
        "y.py": "y",
        "z.py": "z",
    }
    assert not universe.shadows


def test_a_gitignore_that_is_a_link_or_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*.py\n")
    (tmp_path / "a.py").write_text("")
    (tmp_path / ".gitignore").symlink_to("rules")
    assert modules(discover(WorkTree(tmp_path), [Root(".")])) == {"a.py": "a"}

    class Unreadable(MemoryTree):
        def read(self, path: str) -> bytes:
            raise NotJudged(Fault(path, 0, "the file cannot be read."))

    universe = discover(Unreadable({".gitignore": "", "a.py": ""}), [Root(".")])
    assert [fault.path for fault in universe.not_judged] == [".gitignore"]


# --- links and odd things


def test_links_inside_are_followed_and_those_out_are_left_out() -> None:
    universe = found(
        ["real/x.py", "a/__init__.py"],
        ["a"],
        links={
            "a/inner": "../real",
            "a/y.py": "../real/x.py",
            "a/out.py": "/etc/x.py",
            "a/far": "../../x",
            "a/d.txt": "/x",
        },
    )
    assert modules(universe) == {"a/__init__.py": "a", "a/inner/x.py": "a.inner.x", "a/y.py": "a.y"}
    assert left_out(universe) == {
        "a/far": "link out of the tree",
        "real/x.py": "outside the roots",
    }
    assert [fault.path for fault in universe.not_judged] == ["a/out.py"]


@pytest.mark.parametrize(
    ("path", "target", "exclude", "ignore", "rule"),
    [
        ("a/out.py", "/x.py", ["out.py"], "", "exclude"),
        ("a/out.py", "/x.py", [], "out.py", "ignored by .gitignore"),
        ("a/.out.py", "/x.py", [], "", "hidden"),
        ("b/out.py", "/x.py", [], "", "outside the roots"),
        ("a/far", "/x", ["far/"], "", "exclude"),
        ("a/far", "/x", [], "far", "ignored by .gitignore"),
        ("a/gone.py", "nowhere.py", [], "", "link that leads nowhere"),
        ("a/.#x.py", "user@host.1234", [], "", "link that leads nowhere"),  # an editor's lock
        ("a/self.py", "self.py", [], "", "link that leads nowhere"),
        ("a/out.ipynb", "/x.ipynb", [], "", "link out of the tree"),
    ],
)
def test_a_link_that_is_not_followed_is_left_out_by_the_rule_that_says_most(
    path: str, target: str, exclude: list[str], ignore: str, rule: str
) -> None:
    universe = found({"a/x.py": "", ".gitignore": ignore}, ["a"], exclude, links={path: target})
    assert universe.not_judged == ()
    assert left_out(universe) == {path: rule}


def test_links_that_loop_are_left_out() -> None:
    universe = found(["a/x.py", "a/b/y.py"], ["a"], links={"a/self": ".", "a/b/up": "..", "top": "."})
    assert modules(universe) == {"a/b/y.py": "b.y", "a/x.py": "x"}
    assert left_out(universe) == {"a/b/up/": "link loop", "a/self/": "link loop", "top/": "outside the roots"}


def test_links_cannot_multiply_without_end() -> None:
    links = {f"a/d{level}/l{number}": f"../d{level + 1}" for level in range(12) for number in range(4)}
    files = [f"a/d{level}/x.py" for level in range(13)]
    universe = found(files, ["a"], links=links)
    assert len(universe.files) < 1000
    assert "more than 16 ways" in universe.not_judged[0].message
    outside = found([*files, "b.py"], ["b.py"], links=links)
    assert not outside.not_judged


def test_a_tracked_link_makes_what_it_leads_to_tracked() -> None:
    files = {".gitignore": "*_pb2.py", "real/x_pb2.py": "", "real/sub/y_pb2.py": ""}
    universe = found(files, tracked=["build", "c"], links={"build": "real", "c": "real"})
    assert modules(universe) == {
        "build/sub/y_pb2.py": "build.sub.y_pb2",
        "build/x_pb2.py": "build.x_pb2",
        "c/sub/y_pb2.py": "c.sub.y_pb2",
        "c/x_pb2.py": "c.x_pb2",
    }


def test_a_pipe_named_like_a_module_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.py")
    (tmp_path / "y.py").write_text("")
    universe = discover(WorkTree(tmp_path), [Root(".")])
    assert modules(universe) == {"y.py": "y"}
    assert left_out(universe) == {"x.py": "not a regular file"}


def test_a_name_that_is_no_utf_8_is_not_judged(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).write_text("")
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    universe = discover(WorkTree(tmp_path), [Root(".")])
    assert not universe.files
    assert [fault.path for fault in universe.not_judged] == ["\\xff.py"]
    assert not discover(WorkTree(tmp_path), [Root(".")], ["*.py"]).files


class Shut(MemoryTree):
    """A tree in which folders named `shut` and `.shut` cannot be listed."""

    def list(self, directory: str) -> tuple[Entry, ...]:
        if directory.endswith("shut"):
            raise NotJudged(Fault(directory, 0, "the folder cannot be read: Permission denied."))
        return super().list(directory)


def test_a_folder_that_cannot_be_read_is_not_judged_only_where_it_matters() -> None:
    tree = Shut({"src/shut/x.py": "", "shut/x.py": "", "src/.shut/x.py": "", "src/a.py": ""})
    universe = discover(tree, [Root("src")])
    assert [fault.path for fault in universe.not_judged] == ["src/shut"]
    assert left_out(universe) == {"shut/": "outside the roots", "src/.shut/": "hidden"}
    tracked = discover(tree, [Root("src")], tracked=frozenset({"src/.shut/x.py"}))
    assert [fault.path for fault in tracked.not_judged] == ["src/.shut", "src/shut"]


def test_a_folder_that_cannot_be_read_may_be_a_package_whatever_its_name() -> None:
    class Closed(MemoryTree):
        def list(self, directory: str) -> tuple[Entry, ...]:
            if directory == "src/build":
                raise NotJudged(Fault(directory, 0, "the folder cannot be read: Permission denied."))
            return super().list(directory)

    (fault,) = discover(Closed({"src/build/x.py": "", "src/a.py": ""}), [Root("src")]).not_judged
    assert fault.line_text() == (
        "src/build: the folder cannot be read: Permission denied. Make it readable, or leave it out with `exclude`."
    )


@pytest.mark.parametrize(
    ("exclude", "ignored", "tracked", "rule"),
    [
        (["src/shut/"], "", (), "exclude"),
        (["src/shut/"], "", ("src/shut/x.py",), "exclude"),
        (["src/shut/"], "", None, "exclude"),
        ([], "shut/", (), "ignored by .gitignore"),
        ([], "shut/", ("src/shut/x.py",), ""),  # git has committed it all the same
        ([], "shut/", None, ""),  # nobody can say whether it was
    ],
)
def test_a_folder_that_cannot_be_read_can_be_left_out(
    exclude: list[str], ignored: str, tracked: Sequence[str] | None, rule: str
) -> None:
    tree = Shut({".gitignore": ignored, "src/shut/x.py": "", "src/a.py": ""})
    universe = discover(tree, [Root("src")], exclude, None if tracked is None else frozenset(tracked))
    assert left_out(universe) == ({"src/shut/": rule} if rule else {})
    assert [fault.path for fault in universe.not_judged] == ([] if rule else ["src/shut"])


def test_a_link_that_is_gone_when_it_is_followed_is_not_judged() -> None:
    class Fleeting(MemoryTree):
        def identity(self, directory: str) -> object:
            raise NotJudged(Fault(directory, 0, "the folder cannot be read."))

    tree = Fleeting({"real/x.py": "", "src/a.py": ""}, {"src/link": "../real", "link": "real"})
    assert [fault.path for fault in discover(tree, [Root("src")]).not_judged] == ["src/link"]


def test_a_root_that_cannot_be_read_is_one_fault() -> None:
    universe = discover(Shut({"shut/x.py": ""}), [Root("shut")])
    assert [fault.path for fault in universe.not_judged] == ["shut"]


def test_a_root_that_is_not_there_is_not_judged() -> None:
    universe = found(["a/x.py"], ["a", "b", "a/y.py"], links={})
    assert [fault.path for fault in universe.not_judged] == ["a/y.py", "b"]


def test_a_deep_tree_is_no_deep_stack() -> None:
    deep = "/".join("d" for _ in range(3000))
    universe = found([f"{deep}/x.py"])
    assert len(universe.files) == 1
    assert len(universe.known) == 3000
    unreachable = found([f"{deep}/x.py".replace("d", "d.d", 1)])
    assert len(unreachable.files) == 1


# --- laws

_NAMES = ("x", "y", "z")
_SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]
_SHAPES = ("{}.py", "{}/__init__.py", "{}/m.py", "{}/n/__init__.py", "{}" + _SUFFIX, "{}/__init__" + _SUFFIX)
_FILES = st.sets(
    st.builds(
        lambda root, shape, name: f"{root}/{shape.format(name)}",
        st.sampled_from(["one", "two"]),
        st.sampled_from(_SHAPES),
        st.sampled_from(_NAMES),
    ),
    min_size=1,
    max_size=10,
)


@settings(
    max_examples=150, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files=_FILES)
def test_the_interpreter_finds_the_same_files(tmp_path_factory: pytest.TempPathFactory, files: set[str]) -> None:
    top = tmp_path_factory.mktemp("tree")
    for path in (*files, "one/keep.py", "two/keep2.py"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text("")
    universe = discover(WorkTree(top), [Root("one"), Root("two")])
    compiled = {(shadow.module, shadow.path): shadow.by for shadow in universe.shadows}
    ours = {file.module: compiled.get((file.module, file.path), file.path) for file in universe.files}
    ours |= {module.module: module.path for module in universe.known if module.kind != "namespace"}
    namespaces = {module.module for module in universe.known if module.kind == "namespace"}
    scanned = {(file.module, file.path) for file in universe.files}
    finder = [str(top / "one"), str(top / "two")]
    for name in _NAMES:
        for dotted in (name, f"{name}.m", f"{name}.n"):
            kind, origin = _asked(dotted, finder, top)
            assert (dotted in namespaces) == (kind == "namespace"), dotted
            assert ours.get(dotted) == origin, dotted
    unreachable = {file.path for file in universe.files if "/" in file.module}
    assert unreachable == {shadow.path for shadow in universe.shadows if (shadow.module, shadow.path) not in scanned}


def _asked(dotted: str, path: list[str], top: Path) -> tuple[str, str | None]:
    """Ask Python's own path finder, without importing anything."""
    importlib.invalidate_caches()
    at: list[str] | None = path
    spec = None
    parts = dotted.split(".")
    for depth in range(len(parts)):
        if at is None:
            return "", None
        spec = importlib.machinery.PathFinder.find_spec(".".join(parts[: depth + 1]), at)
        if spec is None:
            return "", None
        at = list(spec.submodule_search_locations) if spec.submodule_search_locations is not None else None
    assert spec is not None
    if spec.origin is None:
        return "namespace", None
    return "file", Path(spec.origin).relative_to(top).as_posix()


@settings(max_examples=60, derandomize=True, deadline=None)
@given(files=_FILES, seed=st.randoms(use_true_random=False))
def test_the_order_in_which_files_are_given_changes_nothing(files: set[str], seed: object) -> None:
    ordered = sorted(files)
    roots = ["one", "two"]
    assert found(ordered, roots) == found(list(reversed(ordered)), roots)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    files=st.sets(
        st.lists(
            st.sampled_from(["a", "build", ".h", "x.py", "x.pyi", "n.ipynb", "b.c", "b.c.py", "__init__.py"]),
            min_size=1,
            max_size=4,
        )
        .filter(lambda parts: parts[-1].endswith(("py", "pyi", "ipynb")))
        .map("/".join),
        max_size=12,
    ),
    ignore=st.lists(st.sampled_from(["x.py", "a/", "/build/x.py", "!x.py"]), max_size=2),
)
def test_every_file_is_accounted_for_exactly_once(files: set[str], ignore: list[str]) -> None:
    files = {path for path in files if not any(other.startswith(path + "/") for other in files)}
    universe = found(
        {**dict.fromkeys(files, ""), ".gitignore": "\n".join(ignore), "a/keep.py": ""}, ["a", "."], ["b.c/"]
    )
    scanned = [file.path for file in universe.files]
    out = [path for path, _rule in universe.left_out]
    folders = tuple(path for path in out if path.endswith("/"))
    pruned = {path for path in files if path.startswith(folders)}
    assert sorted([*scanned, *(path for path in out if not path.endswith("/"))]) == sorted(
        {*files, "a/keep.py"} - pruned
    )
    assert len({file.module for file in universe.files}) == len(universe.files)
