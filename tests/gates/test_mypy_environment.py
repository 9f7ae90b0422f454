"""What mypy does not find it does not judge: what then is missing was never paid.

Every test here runs mypy itself, in an environment of its own in which packages come and go.
"""

from __future__ import annotations

import shutil
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from abutment.gates.mypy_environment import Environment, imported_elsewhere
from abutment.sources.tools.mypy_configuration import find_configuration
from abutment.sources.tools.mypy_modules import find_modules
from abutment.sources.tools.mypy_run import Question
from tests.cli.tool import Answer, Tool
from tests.programs import blind, program

LAW = 'roots = ["till"]\n\ngates = ["mypy"]\n[mypy]\ntargets = ["till"]\n'
SILENT = "[mypy]\npython_version = 3.11\nplatform = linux\nignore_missing_imports = True\n"
CASH = "from paid import price\n\n\ndef total() -> str:\n    return price()\n"
TYPED = {"paid/__init__.py": "def price() -> int:\n    return 1\n", "paid/py.typed": ""}
ERROR = "till.cash, in total, has return-value"


class Shop(Tool):
    """A project with an interpreter of its own, in which mypy is installed, as all that we are tested with."""

    def install(self, files: Mapping[str, str]) -> None:
        """Put packages into its environment."""
        self.write({f"{self.packages.relative_to(self.root)}/{path}": text for path, text in files.items()})

    def remove(self, name: str) -> None:
        """Take a package out of it."""
        shutil.rmtree(self.packages / name)

    @property
    def packages(self) -> Path:
        """Where they are."""
        return next(self.root.glob(".venv/lib*/**/site-packages"))


@pytest.fixture
def shop(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A project whose only error stands where it uses an installed package."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    made = Shop(tmp_path / "project", capsys)
    made.write({"abutment.toml": LAW, "mypy.ini": SILENT, "till/__init__.py": "", "till/cash.py": CASH})
    venv.create(made.root / ".venv", symlinks=True)
    (made.packages / "mypy.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
    return made


def said(answer: Answer) -> str:
    return answer.out + answer.err


def record(shop: Shop, *more: str) -> None:
    answer = shop("init", "mypy", *more)
    assert answer.status == 0, said(answer)


def test_what_is_not_installed_has_not_been_paid(shop: Shop) -> None:
    shop.install(TYPED)
    record(shop)
    documents = shop.documents()
    assert '"environment": "paid"' in documents["mypy.jsonl"].decode()
    shop.remove("paid")
    for verb in ("check", "tighten"):
        answer = shop(verb)
        assert (answer.status, "environment was paid, and is nothing" in said(answer)) == (2, True), said(answer)
    assert shop.documents() == documents
    shop.install(TYPED)
    assert shop("check").status == 0


def test_a_package_without_its_types_is_as_good_as_none(shop: Shop) -> None:
    shop.install(TYPED)
    record(shop)
    (shop.packages / "paid/py.typed").unlink()
    answer = shop("check")
    assert (answer.status, "environment was paid, and is nothing" in said(answer)) == (2, True), said(answer)


def test_a_part_of_a_shared_package_may_be_missing(shop: Shop) -> None:
    parts = {f"cloud/{name}/{path}": text for name in ("cheap", "dear") for path, text in _part(TYPED).items()}
    shop.write({"till/cash.py": CASH.replace("from paid import price", "from cloud import cheap, dear")})
    shop.install(parts)
    record(shop)
    shop.remove("cloud/dear")
    answer = shop("check")
    assert (answer.status, "environment is now without cloud.dear" in said(answer)) == (2, True), said(answer)


def _part(package: Mapping[str, str]) -> dict[str, str]:
    return {path.removeprefix("paid/"): text for path, text in package.items()}


def test_what_the_code_no_longer_imports_may_be_missing(shop: Shop) -> None:
    shop.install(TYPED)
    record(shop)
    shop.remove("paid")
    shop.write({"till/cash.py": "def total() -> str:\n    return ''\n"})
    answer = shop("tighten")
    assert (answer.status, "1 fact in 1 entry paid" in said(answer)) == (0, True), said(answer)
    assert shop("check").status == 0


def test_what_the_code_has_begun_to_import_is_told_where_it_is_missing(shop: Shop) -> None:
    shop.install(TYPED)
    record(shop)
    shop.write({"till/more.py": "import lent\nimport lent.out\n"})
    answer = shop("check", "--verbose")
    assert (answer.status, "mypy finds no types of lent, lent.out: what" in said(answer)) == (0, True), said(answer)
    shop.install({"lent/__init__.py": "", "lent/py.typed": ""})
    assert shop("check").status == 0
    again = shop("init", "mypy", "--again", "--reason", "because")
    assert (again.status, "would forgive what grew" in said(again)) == (2, True), said(again)


def test_what_is_found_by_now_is_judged_and_told(shop: Shop) -> None:
    shop.write({"till/more.py": "x: int = ''\n"})
    record(shop)
    assert '"unseen": "paid"' in shop.documents()["mypy.jsonl"].decode()
    shop.install({"paid-stubs/__init__.pyi": "def price() -> int: ...\n"})
    answer = shop("check", "--verbose")
    assert (answer.status, ERROR in answer.out) == (1, True), said(answer)
    assert "unseen was paid, and is nothing: what is new may come from it." in said(answer)
    assert shop("tighten").status == 2
    record(shop, "--again", "--reason", "paid has stubs")
    assert shop("check").status == 0
    shop.remove("paid-stubs")
    assert shop("check").status == 2


def test_more_that_is_found_keeps_no_payment_from_being_recorded(shop: Shop) -> None:
    shop.write({"till/cash.py": CASH.replace("-> str", "-> int"), "till/more.py": "x: int = ''\n"})
    record(shop)
    shop.install(TYPED)
    shop.write({"till/more.py": "x: int = 0\n"})
    assert shop("tighten").status == 0
    shop.remove("paid")
    assert shop("check").status == 0  # what was recorded without it holds without it


def test_what_is_generated_is_missing_where_nobody_generates_it(shop: Shop) -> None:
    shop.write({".gitignore": "/till/made.py\n.venv\n", "till/made.py": TYPED["paid/__init__.py"]})
    shop.write({"till/cash.py": CASH.replace("paid", ".made")})
    record(shop)
    (shop.root / "till/made.py").unlink()
    answer = shop("check")
    assert (answer.status, "environment was till.made, and is nothing" in said(answer)) == (2, True), said(answer)


def test_a_run_that_was_kept_says_nothing_of_where_it_was_made(shop: Shop) -> None:
    shop.install(TYPED)
    record(shop)
    shop.write(
        {
            "said.txt": 'till/cash.py:5: error: Incompatible return value type (got "int", expected "str")'
            "  [return-value]\nFound 1 error in 1 file (checked 2 source files)\n"
        }
    )
    answer = shop("check", "mypy", "--input", str(shop.root / "said.txt"), "--verbose")
    assert (answer.status, "which modules mypy found" in said(answer)) == (0, True), said(answer)


def test_a_mypy_that_does_not_say_what_it_finds_is_not_judged(shop: Shop) -> None:
    shop.install(TYPED)
    lines = (
        "import runpy, sys",
        "sys.argv.insert(1, '--ignore-missing-imports')",
        "runpy.run_module('mypy', None, '__main__')",
    )
    wrapped = "\n".join(lines)
    shop.write({"wrapped.py": wrapped, "abutment.toml": f'{LAW}command = [".venv/bin/python", "wrapped.py"]\n'})
    answer = shop("init", "mypy")
    assert (answer.status, "does not say which modules it finds" in said(answer)) == (2, True), said(answer)


STUBS, CODE = "{packages}/paid-stubs/__init__.pyi", "{packages}/paid.py"


@pytest.mark.parametrize(
    ("configured", "args", "place", "found"),
    [
        ("", (), STUBS, {"paid"}),
        ("", ("--no-site-packages",), STUBS, set()),
        ("no_site_packages = True", (), STUBS, set()),
        ("", (), CODE, set()),
        ("", ("--follow-untyped-imports",), CODE, {"paid"}),
        ("[mypy-paid.*]\nfollow_untyped_imports = True", (), CODE, {"paid"}),
        ("mypy_path = lib", (), "lib/paid.py", {"paid"}),
        ("mypy_path = $MYPY_CONFIG_FILE_DIR/lib", (), "lib/paid.py", {"paid"}),
        ("follow_imports = skip", ("--ignore-missing-imports", "--disable-error-code=import"), STUBS, {"paid"}),
    ],
)
def test_mypy_looks_where_it_is_configured_to_look(
    shop: Shop, configured: str, args: tuple[str, ...], place: str, found: set[str]
) -> None:
    shop.write({"mypy.ini": f"{SILENT}{configured}\n"})
    shop.write({place.format(packages=shop.packages.relative_to(shop.root)): TYPED["paid/__init__.py"]})
    question = Question(shop.root, (".venv/bin/python", "-m", "mypy"), None, args, ())
    assert find_modules(question, find_configuration(shop.root), ["lent", "paid"], ()) == found


def test_nothing_is_asked_where_nothing_is_imported(shop: Shop) -> None:
    shop.write({"till/cash.py": "import json\nfrom till import more\n", "till/more.py": ""})
    record(shop)
    assert '"environment": "nothing"' in shop.documents()["mypy.jsonl"].decode()


# ---- what is imported


@pytest.mark.parametrize(
    ("targets", "modules", "candidates"),
    [
        (None, {"yaml", "rich.text", "app.lost", "attr"}, {"yaml.load", "attr.ib"}),
        (("app/api.py",), {"yaml", "app.lost", "attr"}, {"yaml.load", "attr.ib"}),  # and what its own imports import
        (("app/cli.py",), {"rich.text"}, set()),
        (("ap",), set(), set()),
    ],
)
def test_what_lies_elsewhere_is_what_the_checked_modules_import(
    targets: tuple[str, ...] | None, modules: set[str], candidates: set[str]
) -> None:
    made = program(
        "app.api -> !yaml:load",
        "app.api -> !json",
        "app.api ~-> app.core",
        "app.api *-> !dynamic",
        "app.core :-> !attr:ib",
        "app.core -> !attr:*",
        "app.cli ?-> !rich.text",
        blind=[blind("unresolved", "app.api", ".lost")],
    )
    found = imported_elsewhere(made, targets)
    assert (set(found.modules), set(found.candidates)) == (modules, candidates)


def test_a_name_that_is_no_module_is_no_condition() -> None:
    imported = imported_elsewhere(program("app -> !yaml:load", "app -> !cloud:dear"), None)
    here = Environment(imported, frozenset({"yaml", "cloud", "cloud.dear"}))
    assert here.conditions == {"environment": "cloud, cloud.dear, yaml", "unseen": "nothing"}
    gone = Environment(imported, frozenset({"cloud"}))
    assert gone.bearing(here.conditions) == {"environment": "cloud", "unseen": "nothing"}
