"""How many files mypy has to check: the count is held against mypy's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mypy.main import process_options

from abutment.errors import NotJudged
from abutment.sources.tools.mypy_configuration import MypyConfiguration
from abutment.sources.tools.mypy_files import files_to_check

TREE = (
    "src/pkg/__init__.py",
    "src/pkg/a.py",
    "src/pkg/a.pyi",  # hides a.py
    "src/pkg/sub.py",  # hidden by the package beside it
    "src/pkg/sub/__init__.py",
    "src/pkg/sub/b.py",
    "src/pkg/empty/readme.txt",
    "src/pkg/empty.py",
    "src/pkg/migrations/m1.py",
    "src/pkg/__pycache__/c.py",
    "src/pkg/.hidden/d.py",
    "src/pkg/node_modules/e.py",
    "src/pkg/notes.txt",
    "src/loose.py",
    "tool.py",
    "script",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in TREE:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


CASES: list[tuple[list[str], dict[str, object], list[str]]] = [
    (["src"], {}, []),
    (["src/pkg"], {}, []),
    (["src", "tool.py"], {}, []),
    (["script"], {}, []),
    (["."], {"exclude": "/migrations/"}, []),
    (["src"], {"exclude": ["/migrations/", "^src/loose"]}, []),
    (["src"], {"exclude": "sub/$"}, []),
    (["src"], {}, ["--exclude=a.py"]),
    ([], {"files": "src, tool.py"}, []),
    ([], {"files": ["src/**/*.pyi", "src/l*.py"]}, []),
    (["src/pkg/migrations/m1.py"], {"exclude": "migrations"}, []),  # what is named is checked
]


@pytest.mark.parametrize(("targets", "options", "args"), CASES)
def test_we_find_as_many_files_as_mypy(
    tree: Path, monkeypatch: pytest.MonkeyPatch, targets: list[str], options: dict[str, object], args: list[str]
) -> None:
    (tree / "pyproject.toml").write_text(
        "[tool.mypy]\nexplicit_package_bases = true\nmypy_path = 'src'\n" + toml(options)
    )
    monkeypatch.chdir(tree)
    sources, _options = process_options(["--config-file=pyproject.toml", *args, *targets])
    assert files_to_check(tree, targets, args, MypyConfiguration(options=options)) == len(sources)


def toml(options: dict[str, object]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items())


@pytest.mark.parametrize(
    ("targets", "options", "args"),
    [
        ([], {"packages": "pkg"}, []),
        ([], {"modules": ["pkg.a"]}, []),
        ([], {}, ["-ppkg"]),
        ([], {}, ["--package=pkg"]),
        (["src"], {"exclude_gitignore": True}, []),
        (["src"], {}, ["--exclude-gitignore"]),
        ([], {}, []),
    ],
)
def test_what_is_found_by_name_or_left_out_by_git_cannot_be_counted(
    tree: Path, targets: list[str], options: dict[str, object], args: list[str]
) -> None:
    assert files_to_check(tree, targets, args, MypyConfiguration(options=options)) is None


def test_an_exclude_that_is_no_pattern_is_not_judged(tree: Path) -> None:
    with pytest.raises(NotJudged, match="no regular expression"):
        files_to_check(tree, ["src"], ["--exclude=("], MypyConfiguration())
