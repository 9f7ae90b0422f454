"""Does a stranger's first hour work out, on real packages: init, check, one bad import, why?"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import tomlkit

from benchmarks.catalogue import CORPORA, Corpus, lay_out

pytestmark = pytest.mark.evidence

# Corpus -> a module, and a module it has no business with.
BAD_IMPORTS = {
    "django": ("django.utils.timezone", "django.contrib.admin.sites"),
    "sqlalchemy": ("sqlalchemy.util.topological", "sqlalchemy.orm.session"),
    "airflow": ("airflow.utils.weight_rule", "airflow.models.dag"),
    "homeassistant": ("homeassistant.util.dt", "homeassistant.components.sun"),
    "pandas": ("pandas.util.version", "pandas.io.pickle"),
}


@dataclass(frozen=True, slots=True)
class Project:
    """A real package, laid out as the project of a user."""

    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "abutment", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def held(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def file_of(self, module: str) -> Path:
        stem = self.folder.joinpath(*module.split("."))
        package = stem / "__init__.py"
        return package if package.exists() else stem.with_suffix(".py")

    def forbid(self, source: str, target: str) -> None:
        """Add a contract, as a person would write it."""
        file = self.folder / "abutment.toml"
        document = tomlkit.parse(file.read_text(encoding="utf-8")).unwrap()
        law = document["tool"]["abutment"]
        law["gates"] = sorted({*law["gates"], "boundaries"})
        contract = {"id": "no-business", "kind": "forbidden", "sources": [source], "forbidden": [target]}
        law.setdefault("contracts", []).append(contract)
        file.write_text(tomlkit.dumps(document), encoding="utf-8")


def corpora() -> list[Corpus]:
    assert set(BAD_IMPORTS) == {corpus.name for corpus in CORPORA}
    return list(CORPORA)


@pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)
def test_one_forbidden_import_is_found_where_it_stands(corpus: Corpus, tmp_path: Path) -> None:
    project = Project(lay_out(corpus, tmp_path / corpus.name))
    source, target = BAD_IMPORTS[corpus.name]
    project.held("init")
    project.held("check")

    project.forbid(source, target)
    recorded = (project.folder / "fixtures" / "architecture" / "boundaries.jsonl").exists()
    if not recorded:
        project.held("init", "boundaries")
    project.held("check", "boundaries")

    file = project.file_of(source)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\n\nimport {target}\n")
    line = len(file.read_text(encoding="utf-8").splitlines())
    place = f"{file.relative_to(project.folder).as_posix()}:{line}"

    done = project.run("check", "boundaries")
    assert done.returncode == 1, done.stdout + done.stderr
    found = re.findall(r"^\S+:\d+: ABT\d{3} boundaries:.*$", done.stdout, re.MULTILINE)
    assert [one.split(": ")[0] for one in found] == [place]
    assert f"{place}: ABT302" in found[0]
    assert place in project.held("why", source, target)


@pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)
def test_what_is_shown_is_the_same_every_time(corpus: Corpus, tmp_path: Path) -> None:
    project = Project(lay_out(corpus, tmp_path / corpus.name))
    project.held("init")
    for arguments in (["facts", "imports", "--format", "jsonl"], ["check", "--format", "json"]):
        assert project.held(*arguments) == project.held(*arguments, "--no-cache")
