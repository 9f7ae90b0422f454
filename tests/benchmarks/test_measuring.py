"""Does the benchmark measure what it says, and call a miss a miss?"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.catalogue import CORPORA, clean_environment
from benchmarks.process import MIB, Command, peak_memory, seconds
from benchmarks.run import Target, cheapest_contract, print_targets


def command(code: str, cwd: Path, *accept: int) -> Command:
    return Command((sys.executable, "-c", code), cwd, clean_environment(), accept or (0,))


def test_a_run_is_timed_from_start_to_end(tmp_path: Path) -> None:
    assert 0.2 < seconds(command("import time; time.sleep(0.2)", tmp_path)) < 10


def test_a_failing_command_stops_the_measurement(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="status 3"):
        seconds(command("raise SystemExit(3)", tmp_path))
    with pytest.raises(SystemExit, match="status 3"):
        peak_memory(command("raise SystemExit(3)", tmp_path))
    assert seconds(command("raise SystemExit(1)", tmp_path, 0, 1)) > 0


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's /proc")
def test_memory_counts_the_children(tmp_path: Path) -> None:
    hold = "import time; held = bytearray(40 * 1024 * 1024); held[::4096] = held[::4096]; time.sleep(0.5)"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}], check=True)"
    alone, with_child = peak_memory(command("pass", tmp_path)), peak_memory(command(child, tmp_path))
    assert with_child.resident > 40 * MIB > alone.resident
    assert with_child.proportional <= with_child.resident


@pytest.mark.parametrize(
    ("ours", "theirs", "limit", "missed"),
    [
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1.0, 0),
        ([1.0, 2.0, 9.0], [1.0, 1.0, 1.0], 2.0, 0),
        ([1.0, 2.1, 9.0], [1.0, 1.0, 1.0], 2.0, 1),
        ([2.0, 4.0, 6.0], [1.0, 4.0, 12.0], 1.0, 0),  # paired: the ratios are 2, 1 and 0.5
    ],
)
def test_a_missed_target_is_said(
    ours: list[float],
    theirs: list[float],
    limit: float,
    missed: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = Target("ours", "theirs", limit, (CORPORA[0].name,))
    monkeypatch.setattr("benchmarks.run.TARGETS", (target,))
    times = {"ours": ours, "theirs": theirs}
    assert print_targets(CORPORA[0], times) == missed
    assert ("MISS" in capsys.readouterr().out) == bool(missed)
    assert print_targets(CORPORA[1], times) == 0  # promised for the other corpus only


def test_the_peers_contract_names_two_modules_that_do_not_meet(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "alpha.py").write_text("import p.gamma\n", encoding="utf-8")
    (package / "beta.py").write_text("", encoding="utf-8")
    (package / "gamma.py").write_text("import p.alpha\n", encoding="utf-8")
    contract = cheapest_contract(package)
    assert "source_modules = p.alpha\n" in contract
    assert "forbidden_modules = p.beta\n" in contract
