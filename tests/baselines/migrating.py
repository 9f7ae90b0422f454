"""Real folders with recorded debt, and migrations of it, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from abutment.baselines.disk import Disk, RealDisk
from abutment.baselines.law import Law
from abutment.baselines.migration.applying import Applied, apply_migration, verify_migration
from abutment.baselines.migration.documents import FORMATS, Formats
from abutment.baselines.migration.folder import Folder
from abutment.baselines.migration.plan_file import PlanFile, plan_pieces, read_plan
from abutment.baselines.migration.planning import Subject, plan_migration
from abutment.baselines.migration.rewriting import Asked, Names
from abutment.baselines.record import plan_init
from abutment.baselines.renaming import NameFields, Renaming
from abutment.baselines.store import commit
from abutment.baselines.tighten import plan_tighten
from abutment.model.terms import Terms
from abutment.sources.scratch import Spool
from abutment.sources.work_tree import WorkTree
from abutment.verdicts.law import load_law
from tests.baselines.laws import FOLDER, TERMS, TODAY, TOOLS, measured

VERSION = "1.0"


def law_in(root: Path, terms: Terms = TERMS) -> Law:
    return load_law(WorkTree(root), terms)


def recorded(root: Path, terms: Terms = TERMS) -> dict[str, int]:
    """Return what the baseline says, by short texts, and is granted by the receipts."""
    grants = law_in(root, terms).grants
    for entry in grants.recorded:
        assert grants.levels[entry.key].count == entry.count, f"{entry} is not what the receipts say"
    return {" ".join(entry.key): entry.count for entry in grants.recorded}


def record(root: Path, counts: Mapping[str, int], terms: Terms = TERMS, covers: tuple[str, ...] = ()) -> Path:
    root.mkdir(exist_ok=True)
    commit(root, FOLDER, plan_init(Law(terms), measured(counts, covers=covers)), TOOLS)
    return root


def tighten(root: Path, counts: Mapping[str, int]) -> None:
    commit(root, FOLDER, plan_tighten(law_in(root), measured(counts), TODAY), TOOLS)


def subject(terms: Terms = TERMS, *approved: str) -> Subject:
    places = NameFields.of(terms.fields, ("importer", "imported", "module"), ())
    return Subject(terms.gate, terms.fields, places, frozenset(tuple(text.split()) for text in approved))


def renames(*pairs: str) -> Asked:
    """Return what is asked by `app.old app.new` each."""
    return Asked(names=Names(Renaming(*pair.split()) for pair in pairs))


def folder_of(root: Path, formats: Formats = FORMATS, disk: Disk | None = None) -> Folder:
    return Folder(disk or RealDisk(), root, FOLDER, formats)


def plan(
    root: Path, asked: Asked, *subjects: Subject, formats: Formats = FORMATS, edits: Iterable[str] = ()
) -> PlanFile:
    """Plan into `plan.jsonl`, and return it as it is read again."""
    with Spool() as spool:
        made = plan_migration(folder_of(root, formats), subjects or (subject(),), asked, VERSION, spool, edits)
        (root / "plan.jsonl").write_bytes(b"".join(plan_pieces(made, spool)))
    return read_plan(RealDisk(), root / "plan.jsonl", "plan.jsonl")


def apply(root: Path, file: PlanFile, **how: object) -> Applied:
    return apply_migration(root, FOLDER, lambda: file, file.plan.digest, VERSION, **how)  # type: ignore[arg-type]


def verify(root: Path, file: PlanFile, **how: object) -> str:
    return verify_migration(root, FOLDER, file, VERSION, **how)  # type: ignore[arg-type]


def migrate(root: Path, asked: Asked, *subjects: Subject) -> Applied:
    return apply(root, plan(root, asked, *subjects))


def contents(root: Path) -> dict[str, bytes]:
    """Return every file of the project, but for the lock's folder."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and ".abutment" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def with_fields(*fields: str) -> Terms:
    return replace(TERMS, fields=fields)
