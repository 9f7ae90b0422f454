"""Something else may come in our place: from another source, another folder, or over another tree of files."""

from __future__ import annotations

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from abutment.guard.ci.installing import installed_from
from abutment.guard.ci.proven import OUR_PARTS
from tests.guard.laws import widenings

ROOT = Path(__file__).parents[2]
YML = ".github/workflows/ci.yml"
HOOKS = "repos:\n- repo: https://example.org/abutment\n  rev: v2\n  hooks:\n  - id: abutment\n"
CONFIG = ".pre-commit-config.yaml"


def steps(*scripts: str, on: str = "pull_request") -> dict[str, bytes | str]:
    """Return a workflow whose steps run these scripts."""
    runs = "".join(f"    - run: |\n        {one.replace(chr(10), chr(10) + 8 * ' ')}\n" for one in scripts)
    return {YML: f"on: {on}\njobs:\n  a:\n    steps:\n{runs}"}


C = "abutment check cycles"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((f"uvx {C}",), (f"uvx --from other {C}",)),
        ((f"uvx {C}",), (f"uvx --from=other {C}",)),
        ((f"pipx run {C}",), (f"pipx run --spec abutment-fork {C}",)),
        (("pip install abutment", C), ("pip install ./tools/abutment", C)),
        (("pip install abutment", C), ("pip install git+https://example.org/fork/abutment", C)),
        (("pip install abutment", C), ("pip install 'abutment @ https://example.org/abutment-2.tar.gz'", C)),
        (("pip install abutment", C), ("pip install -i https://example.org/simple abutment", C)),
        ((f"pip install abutment\n{C}",), (f"pip install --extra-index-url=https://example.org/simple abutment\n{C}",)),
        *(((C,), (f"git {words}", C)) for words in ("checkout main -- src", "reset --hard HEAD~1", "apply x.patch")),
        *(((C,), (f"git {words}\n{C}",)) for words in ("stash", "-C . checkout main", "pull", "sparse-checkout set x")),
    ],
)  # fmt: skip
def test_what_may_run_or_be_judged_in_our_place_is_seen(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    assert widenings(steps(*before), steps(*after)) != []
    assert widenings(steps(*after), steps(*before)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((f"uvx {C}",), (f"uvx --from abutment==2.1 {C}",)),
        ((f"uvx {C}",), (f"uvx --from 'abutment[all]>=2' --with plugin {C}",)),
        ((f"pipx run {C}",), (f"pipx run --spec abutment {C}",)),
        (("pip install abutment", C), ("pip install -r requirements/abutment.txt", C)),
        (("pip install abutment", C), ("pip install -e .", C)),
        (("pip install git+https://x/abutment@v1", C), ("pip install git+https://x/abutment@v2", C)),
        (("pip install dist/abutment-1.0-py3-none-any.whl", C), ("pip install dist/abutment-2.0-py3-none-any.whl", C)),
        (("pip install abutment", C), ("pip install -i https://example.org/simple other", C)),
        *(((C,), (f"git {words}", C)) for words in ("fetch origin main", "log -1", "config x y", "status", "diff")),
        *(((C,), (C, f"git {words}")) for words in ("checkout main", "reset --hard")),
    ],
)  # fmt: skip
def test_another_way_to_the_same_program_is_not(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    assert widenings(steps(*before), steps(*after)) == []


@pytest.mark.parametrize(
    ("path", "is_seen"),
    [
        ("abutment.py", True),
        ("abutment/__init__.py", True),
        ("click.py", True),
        ("yaml/__init__.py", True),
        ("packaging/rules.spec", False),
        ("src/click.py", False),
        ("other.py", False),
    ],
)
def test_a_module_of_the_repository_that_python_takes_in_our_place_is_seen(path: str, is_seen: bool) -> None:
    before = steps(f"python -m {C}")
    assert bool(widenings(before, {**before, path: ""})) is is_seen
    assert widenings({**before, path: ""}, before) == []
    for script in (C, f"python -I -m {C}"):
        assert widenings(steps(script), {**steps(script), path: ""}) == []
    inside = steps(f"cd src\npython -m {C}")
    assert bool(widenings(inside, {**inside, "src/click.py": ""}))


def test_every_package_that_we_depend_on_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {text.partition(">")[0].lower() for text in project["dependencies"]}
    imported = {name for name, owners in packages_distributions().items() if needed & {each.lower() for each in owners}}
    assert {name for name in imported if not name.startswith("_")} == {*OUR_PARTS} - {"abutment"}


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [
        ("example.org/abutment", "example.org/fork/abutment", True),
        ("  - id: abutment\n", "  - id: abutment\n    additional_dependencies: [./tools/abutment]\n", True),
        ("  - id: abutment\n", "  - id: abutment\n    additional_dependencies: ['abutment @ https://x/y.whl']\n", True),
        ("  - id: abutment\n", "  - id: abutment\n    additional_dependencies: ['plugin>=2']\n", False),
        ("example.org/abutment", "example.org/abutment.git", False),
        ("rev: v2", "rev: v3", False),
    ],
)
def test_a_hook_from_elsewhere_is_another_program(old: str, new: str, is_seen: bool) -> None:
    assert bool(widenings({CONFIG: HOOKS}, {CONFIG: HOOKS.replace(old, new)})) is is_seen


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("git+ssh://git@host/abutment.git@v2", "git+ssh://git@host/abutment.git"),
        ("./dist/abutment-2.0-py3-none-any.whl", "./dist/abutment"),
        ("../abutment", "../abutment"),
        ("abutment==2", None),
    ],
)
def test_a_version_is_put_aside(word: str, place: str | None) -> None:
    assert list(installed_from(("pip", "install", word))) == ([f"installed from {place}"] if place else [])


@pytest.mark.parametrize(
    ("before", "after", "is_seen"),
    [
        ("pull_request", "{pull_request: {branches: [main, '!main']}}", True),
        ("{push: {branches: [main]}}", "{push: {branches: [main, '!main']}}", True),
        ("{push: {branches: [main, '!old']}}", "{push: {branches: [main]}}", False),
    ],
)
def test_branches_that_are_taken_out_again_are_seen(before: str, after: str, is_seen: bool) -> None:
    assert bool(widenings(steps(C, on=before), steps(C, on=after))) is is_seen


def test_a_job_that_waits_for_none_that_there_is_never_runs() -> None:
    text = str(steps(C)[YML])
    other = text.replace("  a:\n", "  b: {steps: []}\n  a:\n    needs: b\n")
    assert widenings({YML: text}, {YML: other}) == []
    assert widenings({YML: text}, {YML: other.replace("needs: b", "needs: c")})


MAKE = "check: gates\n\ngates:\n\tabutment check cycles\n"


@pytest.mark.parametrize("more", ["gates: ;\n", "gates: other; true\n", "gates: ; @echo # held\n"])
def test_a_recipe_on_the_line_of_its_target_takes_the_place_of_another_one(more: str) -> None:
    assert widenings({"Makefile": MAKE}, {"Makefile": MAKE + more})
    assert widenings({"Makefile": MAKE + more}, {"Makefile": MAKE}) == []
    assert widenings({"Makefile": MAKE}, {"Makefile": MAKE.replace("gates:\n\t", "gates: ; ")}) == []
    assert widenings({"Makefile": MAKE.replace("gates:\n\t", "gates: other ; ")}, {"Makefile": MAKE}) == []


def test_a_special_target_that_goes_is_no_target_that_is_gone() -> None:
    for more in (".IGNORE: gates\n", ".SILENT: gates\n", ".PRECIOUS: gates\n"):
        assert widenings({"Makefile": MAKE + more}, {"Makefile": MAKE}) == []
    assert widenings({"Makefile": ".PHONY: gates\n" + MAKE}, {"Makefile": MAKE})


def test_a_function_of_our_name_is_no_call() -> None:
    for head in ("function abutment {", "abutment() {"):
        assert widenings(steps(f"{head} true; }}\n{C}"), steps(C)) == []
