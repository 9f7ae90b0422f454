"""The project's own coverage.py is asked for a report, and believed only where nothing is amiss with its data."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.coverage import python_conditions, report_of_data
from abutment.sources.tools.coverage_report import CoverageReport, parse_coverage
from abutment.sources.tools.place import PathsBelow

COVERAGE = (sys.executable, "-m", "coverage")
CODE = "def total(rows):\n    if rows:\n        return sum(rows)\n    return 0\n\n\ntotal([1])\n"

RELATIVE = "[run]\nrelative_files = true\n"  # so that the data may be copied


@pytest.fixture(autouse=True)
def unobserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the coverage under which this suite may run out of the one that is asked here."""
    for name in list(os.environ):
        if name.startswith("COVERAGE_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project that was measured once."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "till.py").write_text(CODE, encoding="utf-8")
    (folder / "never.py").write_text("X = 1\n", encoding="utf-8")
    (folder / ".coveragerc").write_text(RELATIVE, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [*COVERAGE, "run", "--branch", "--source=.", "till.py"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder


@pytest.fixture
def shop(measured: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    return Path(shutil.copytree(measured, tmp_path / "shop"))


def reported(folder: Path, data: str = ".coverage") -> CoverageReport:
    return parse_coverage(report_of_data(COVERAGE, data, folder, 60), PathsBelow(folder))


def refusal(folder: Path, data: str = ".coverage") -> str:
    with pytest.raises(NotJudged) as refused:
        reported(folder, data)
    return str(refused.value)


def test_a_configuration_that_the_environment_names_is_not_heard(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = reported(shop)
    (tmp_path / "lenient.rc").write_text("[report]\nexclude_also = return\n", encoding="utf-8")
    monkeypatch.setenv("COVERAGE_RCFILE", str(tmp_path / "lenient.rc"))
    assert before.files["till.py"].missing == {4}
    assert reported(shop) == before


def test_a_report_is_made_of_data_whatever_it_should_fail_under(shop: Path) -> None:
    (shop / ".coveragerc").write_text(
        f"{RELATIVE}[report]\nfail_under = 100\n[json]\noutput = a.json\n", encoding="utf-8"
    )
    before = sorted(shop.iterdir())
    report = reported(shop)
    assert report.has_branches
    assert sorted(report.files["till.py"].missing) == [4]
    assert sorted(report.files["never.py"].missing) == [1]
    assert sorted(shop.iterdir()) == before


def test_which_python_reads_the_code_is_known(shop: Path) -> None:
    python = f"{sys.version_info.major}.{sys.version_info.minor} on "
    assert python_conditions(COVERAGE, shop, 60)["python"].startswith(python)


def test_a_tool_that_does_not_say_its_python_is_not_judged(shop: Path) -> None:
    with pytest.raises(NotJudged, match="does not say which Python runs it"):
        python_conditions((sys.executable, "-c", "pass"), shop, 60)


def test_data_that_is_measured_in_parts_is_whole_once_they_are_combined(shop: Path) -> None:
    """Newer versions would combine them by themselves and delete them, and a check deletes nothing."""
    part = shop / ".coverage.host.1234"
    shutil.copy(shop / ".coverage", part)
    said = refusal(shop)
    assert ".coverage: is partial: .coverage.host.1234 lies beside it. Run `coverage combine` first." in said
    assert part.exists()
    (shop / ".coverage").unlink()
    assert "is partial" in refusal(shop)
    subprocess.run([*COVERAGE, "combine"], cwd=shop, check=True, capture_output=True)
    assert reported(shop).files


def test_without_data_nothing_is_judged(shop: Path) -> None:
    (shop / ".coverage").unlink()
    assert "Run the tests under `coverage run` first." in refusal(shop)


def test_what_coverage_says_of_spoilt_data_is_told(shop: Path) -> None:
    (shop / ".coverage").write_bytes(b"not a database at all")
    said = refusal(shop)
    assert "coverage ended with status 1" in said
    assert "Couldn't use data file" in said


def test_a_source_that_is_gone_is_not_judged(shop: Path) -> None:
    (shop / "till.py").unlink()
    assert "No source for code" in refusal(shop)


def test_a_file_that_is_left_out_with_a_warning_is_not_judged(shop: Path) -> None:
    (shop / "till.py").unlink()
    (shop / ".coveragerc").write_text(f"{RELATIVE}[report]\nignore_errors = true\n", encoding="utf-8")
    said = refusal(shop)
    assert "coverage complained" in said
    assert "till.py" in said


def test_a_configuration_that_cannot_be_read_is_not_judged(shop: Path) -> None:
    (shop / ".coveragerc").write_text("[run]\nbranch = maybe\n", encoding="utf-8")
    assert "Not a boolean: maybe" in refusal(shop)


def test_a_coverage_that_is_not_installed_is_not_judged(shop: Path) -> None:
    with pytest.raises(NotJudged, match="cannot be run"):
        report_of_data(("/nowhere/python",), ".coverage", shop, 60)


def test_a_coverage_that_hangs_or_is_killed_is_not_judged(shop: Path) -> None:
    with pytest.raises(NotJudged, match="did not end within 1 seconds"):
        report_of_data((sys.executable, "-c", "import time; time.sleep(60)"), ".coverage", shop, 1)
    with pytest.raises(NotJudged, match="was killed by SIGKILL"):
        report_of_data((sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"), ".coverage", shop, 60)


def test_a_module_of_the_judged_root_is_not_run_in_the_place_of_one_of_pythons(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(3)\n")
    assert set(python_conditions((sys.executable, "-m", "coverage"), tmp_path, 60)) == {"python"}
