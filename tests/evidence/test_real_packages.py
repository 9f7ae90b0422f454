"""Does a stranger's first hour work out, on real packages: init, check, one bad import, why?"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        """Add a contract below the others, as a person would write it."""
        file = self.folder / "abutment.toml"
        law = tomlkit.parse(file.read_text(encoding="utf-8"))
        contract = {"id": "no-business", "kind": "forbidden", "sources": [source], "forbidden": [target]}
        law["gates"] = sorted({*law["gates"], "boundaries"})
        law.setdefault("contracts", tomlkit.aot()).append(tomlkit.item(contract))
        file.write_text(tomlkit.dumps(law), encoding="utf-8")

    def violations(self, *gates: str) -> list[dict[str, Any]]:
        """Return what a broken check reports, in the form that machines read."""
        done = self.run("check", *gates, "--format", "json")
        assert done.returncode == 1, done.stdout + done.stderr
        return [one for gate in json.loads(done.stdout)["gates"] for one in gate["violations"]]


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
    if not (project.folder / "fixtures" / "architecture" / "boundaries.jsonl").exists():
        project.held("init", "boundaries")
    project.held("check")

    file = project.file_of(source)
    before = file.read_bytes()
    file.write_bytes(before + f"\n\nimport {target}\n".encode())
    path, line = file.relative_to(project.folder).as_posix(), len(file.read_text(encoding="utf-8").splitlines())

    found = project.violations("boundaries")
    assert {(site["path"], site["line"]) for one in found for site in one["sites"]} == {(path, line)}
    named = [one for one in found if one["identity"]["contract"] == "no-business"]
    assert [(one["rule"], one["kind"]) for one in named] == [("ABT302", "new")]
    assert named[0]["identity"] == {"contract": "no-business", "importer": source, "imported": target}
    text = project.run("check", "boundaries")
    assert text.returncode == 1
    assert f"{path}:{line}: ABT302 boundaries: new: {source} imports {target} " in text.stdout
    assert f"{path}:{line}: {source} imports {target}" in project.held("why", source, target)

    file.write_bytes(before)
    project.held("check")


@pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)
def test_what_is_shown_is_the_same_every_time(corpus: Corpus, tmp_path: Path) -> None:
    project = Project(lay_out(corpus, tmp_path / corpus.name))
    project.held("init")
    for arguments in (["facts", "imports", "--format", "jsonl"], ["check", "--format", "json"]):
        assert project.held(*arguments) == project.held(*arguments, "--no-cache")
