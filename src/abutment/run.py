"""Is this codebase what its law says? One function from a configuration and a tree to a `Run`.

Nothing here is kept between calls: hooks, editors and fleets call `run` many times in one process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from abutment import __version__
from abutment.baselines.conditions import eased, refuted
from abutment.baselines.journal import FOLDER
from abutment.baselines.law import Law
from abutment.baselines.reading import Documents, read_documents
from abutment.config import Config, close_config
from abutment.errors import NotJudged
from abutment.gates import TABLE, load_gates
from abutment.gates.gate import Gate
from abutment.gates.suppressions import by_rule, speaks_to, unheard, with_comments
from abutment.guard.rules import GUARD
from abutment.guard.settings import Settings as GuardSettings
from abutment.guard.settings import read_settings as read_guard_settings
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.policies.suppressions import Suppression, read_suppressions
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Program
from abutment.sources.codeowners import Owners, load_codeowners
from abutment.sources.discovery import discover
from abutment.sources.exclusion import idle_patterns
from abutment.sources.ignore import IgnoreFile
from abutment.sources.tree import Tree
from abutment.sources.universe import Role, Universe
from abutment.verdicts.hints import with_hints
from abutment.verdicts.judge import judge
from abutment.verdicts.law import law_of
from abutment.verdicts.notices import (
    notices_on_comments,
    notices_on_documents,
    notices_on_exclude,
    notices_on_files,
    notices_on_tables,
)
from abutment.verdicts.verdict import FileAccount, Run, Status, Verdict, tolerate_stale

if TYPE_CHECKING:
    from abutment.guard.verdict import Points

Against = Callable[[GuardSettings, Documents | None], "Points"]  # where the documents were read already, they are given


@dataclass(frozen=True, slots=True)
class Reading:
    """How the code is read: what git says of it, the cache, and how many processes may parse."""

    tracked: frozenset[str] | None = None  # git's files; None without git
    outer: tuple[IgnoreFile, ...] = ()  # ignore patterns that reach the tree from above it
    owners: Owners | None = None  # of the files; None means those that a CODEOWNERS of the tree itself names
    cache: Cache | None = None
    jobs: int = 1
    tracked_is_unknown: bool = False  # there is a repository, and no git to ask


@dataclass(frozen=True)  # no slots: a cached property needs a place
class Project:
    """One configured codebase, read and linked: everything that is known before anything is judged."""

    config: Config
    tree: Tree
    universe: Universe
    program: Program

    @cached_property
    def suppressions(self) -> tuple[Suppression, ...]:
        """What every comment of the code says."""
        return tuple(read_suppressions(self.program.directives))


@dataclass(frozen=True, slots=True)
class Measured:
    """One gate, asked: its law and its facts."""

    gate: Gate
    law: Law
    measurement: Measurement


def run(
    config: Config,
    tree: Tree,
    today: date,
    *,
    gates: Sequence[str] | None = None,
    reading: Reading | None = None,
    stale: str = "fail",
    against: Against | None = None,
) -> Run:
    """Judge the gates that are switched on (or those named) and return the run; writes nothing but the cache.

    `today` is a UTC date. `stale="warn"` tolerates grants the code no longer needs. `against` gives the revisions
    between which the guard judges the law; it alone is asked where `gates` is (). Raises NotJudged where the
    configuration or the tree cannot be read at all.
    """
    asked = load_gates(config.gates if gates is None else gates, config.gate_site)
    settings = read_all_settings(config, asked)
    if against is not None and gates is not None and not asked:
        alone = (_guarded(against, settings[GUARD.name], today),)
        return Run(
            __version__,
            config.root,
            alone,
            FileAccount(0, (), (), ""),
            unasked_gates=config.gates,
            law=(config.file, config.documents),
        )
    project = open_project(config, tree, reading, uses=any(gate.asks_uses for gate in asked))
    documents = read_documents(tree, config.documents)
    names = {gate.name for gate in asked}
    owners = reading.owners if reading is not None and reading.owners is not None else load_codeowners(tree)
    verdicts = [judge_gate(project, documents, gate, settings[gate.name], owners, today) for gate in asked]
    if against is not None:
        verdicts.append(_guarded(against, settings[GUARD.name], today, project, documents))
    project.program.uses.keep()
    if stale == "warn":
        verdicts = [tolerate_stale(verdict) for verdict in verdicts]
    return Run(
        version=__version__,
        root=config.root,
        verdicts=tuple(verdicts),
        files=account(project),
        faults=() if asked else (_nothing_asked(config),),
        idle_gates=tuple(name for name in TABLE if name not in {*config.gates, *names}),
        unasked_gates=tuple(name for name in config.gates if name not in names),
        paths=frozenset(_paths(project, documents, asked)),
        law=(config.file, config.documents),
        notices=(
            *_notices(project, documents, names, reading),
            *_unheard(config, asked, settings),
            *_unheard_comments(project, asked, settings),
        ),
    )


def _guarded(
    against: Against,
    settings: GuardSettings,
    today: date,
    project: Project | None = None,
    documents: Documents | None = None,
) -> Verdict:
    from abutment.guard.verdict import guard_verdict  # a check that does not ask the guard does not wait for it

    known = (project.universe, project.program) if project is not None else ()
    return guard_verdict(partial(against, settings, documents), today, *known)


def _paths(project: Project, documents: Documents, asked: Sequence[Gate]) -> Iterator[str]:
    """Yield every path that a text about the run may name."""
    yield project.config.file
    yield from (file.path for file in project.universe.files)
    yield from documents.files
    for gate in asked:
        terms = gate.terms(project.config.documents)
        yield from (terms.policy, terms.baseline)


def _notices(
    project: Project, documents: Documents, asked: Collection[str], reading: Reading | None
) -> Iterator[Fault]:
    config, universe = project.config, project.universe
    idle = idle_patterns(config.exclude, universe)
    yield from notices_on_exclude((config.exclude[at], config.exclude_site(at)) for at in idle)
    unknown = reading is not None and reading.tracked_is_unknown
    yield from notices_on_files(universe, tracked_is_unknown=unknown)
    # A gate that has a table of its own may be asked by name, at another time: `coverage`, after the tests.
    configured = [name for name in TABLE if name in config.table]
    yield from notices_on_documents(documents, {*config.gates, *asked, *configured})
    unasked = [name for name in configured if name not in {*config.gates, *asked}]
    yield from notices_on_tables(documents, ((name, Site(config.file, config.table.line(name))) for name in unasked))


def _unheard_comments(project: Project, asked: Sequence[Gate], settings: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is to be known of comments that speak to gates which are off, or to none."""
    if project.suppressions:
        config = project.config
        on = {gate.name: gate for gate in (*load_gates(config.gates, config.gate_site), *asked)}
        ears = ((gate, settings[name]) for name, gate in on.items())
        places = unheard(project.suppressions, project.program, rules_of(config, asked), ears)
        yield from notices_on_comments(places)


def _unheard(config: Config, asked: Sequence[Gate], settings: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what the configuration asks of gates that are off."""
    for gate in load_gates(TABLE):
        if gate.name not in config.gates and gate not in asked and gate.unheard is not None:
            yield from gate.unheard(settings[gate.name])


def open_project(config: Config, tree: Tree, reading: Reading | None = None, *, uses: bool = False) -> Project:
    """Read and link the codebase; raises NotJudged where nothing can be said of it.

    `uses` says that a gate will ask what the code does with what it names.
    """
    how = reading if reading is not None else Reading()
    universe = discover(tree, config.roots, config.exclude, how.tracked, outer=how.outer)
    return Project(config, tree, universe, build_program(universe, tree, cache=how.cache, jobs=how.jobs, uses=uses))


def read_all_settings(config: Config, asked: Iterable[Gate]) -> dict[str, Any]:
    """Return each gate's settings by name; raises NotJudged with every fault of the configuration.

    Gates that were not asked are read as well where they are ours or switched on: a typing error in the
    table of a gate must not wait for the day on which somebody runs it.
    """
    gates = {gate.name: gate for gate in (*load_gates(TABLE), *load_gates(config.gates, config.gate_site), *asked)}
    settings = {name: gate.read_settings(_table_for(config, gate)) for name, gate in gates.items()}
    settings[GUARD.name] = read_guard_settings(config.table.table(GUARD.name))
    close_config(config, gates)
    config.faults.raise_if_any()
    return settings


def _table_for(config: Config, gate: Gate) -> TableReader:
    return config.table if gate.reads_root_table else config.table.table(gate.name)


def judge_gate(
    project: Project, documents: Documents, gate: Gate, settings: Any, owners: Owners, today: date
) -> Verdict:
    """Return one gate's verdict; what keeps it from being judged stands in the verdict, not in an exception."""
    try:
        measured = measure_gate(project, documents, gate, settings)
    except NotJudged as refusal:
        # A document stops the gate before it is measured; the files that it could not have read are causes as well.
        faults = dict.fromkeys((*refusal.faults, *unread_in_scope(project, gate, settings)))
        return Verdict(gate.name, Status.NOT_JUDGED, faults=tuple(faults))
    verdict = judge(measured.law.terms, measured.measurement, measured.law.grants, today)
    verdict = with_hints(verdict, gate.module_fields, project.program.modules)
    return replace(verdict, violations=tuple(_owned(owners, violation) for violation in verdict.violations))


def measure_gate(project: Project, documents: Documents, gate: Gate, settings: Any) -> Measured:
    """Return a gate's law and facts; raises NotJudged with every fault of its documents.

    So it does where the facts were measured under other conditions than the baseline: they cannot be compared.
    """
    law = law_of(documents, gate.terms(project.config.documents))
    measurement = measure(project, gate, settings, law.grants)
    faults = refuted(law, measurement)
    if faults:
        raise NotJudged((*faults, *measurement.faults))
    notes = (*measurement.notes, *eased(law, measurement))
    return Measured(gate, law, replace(measurement, notes=notes))


def measure(project: Project, gate: Gate, settings: Any, grants: Grants) -> Measurement:
    """Return a gate's facts; files in its scope that could not be read make the measurement partial."""
    prepared = settings if gate.prepare is None else gate.prepare(settings, project.tree)
    measurement = gate.measure(project.program, prepared, grants)
    if project.suppressions:
        gates = rules_of(project.config, (gate,))
        heard = [one for one in project.suppressions if speaks_to(one, gate, settings, project.program, gates)]
        measurement = with_comments(measurement, gate, heard, gates)
    more = (*unread_in_scope(project, gate, settings), *_forbidden(gate, measurement, grants))
    return replace(measurement, faults=(*measurement.faults, *more)) if more else measurement


def _forbidden(gate: Gate, measurement: Measurement, grants: Grants) -> Iterator[Fault]:
    """Yield a fault for each approval of what nobody may approve."""
    for approval in grants.approvals:
        if measurement.never(approval.key):
            what = measurement.describe(approval.key).what
            message = f"{gate.name}: nobody may approve this: {what}."
            yield Fault(approval.site.path, approval.site.line, message, "Mend it, and delete the approval.")


def rules_of(config: Config, asked: Iterable[Gate] = ()) -> Mapping[str, Gate]:
    """Return every rule that is known here, with its gate: ours, those that are switched on, and those asked."""
    return by_rule((*load_gates(TABLE), *load_gates(config.gates, config.gate_site), *asked))


def unread_in_scope(project: Project, gate: Gate, settings: Any) -> tuple[Fault, ...]:
    """Return the faults of files that the gate should have seen; folders that cannot be read concern every gate."""
    faults = _unread(project)
    if not faults:
        return ()
    files = {file.path: file for file in project.universe.files}
    return tuple(fault for fault in faults if _concerns(fault, gate, settings, files))


def _concerns(fault: Fault, gate: Gate, settings: Any, files: Mapping[str, Any]) -> bool:
    file = files.get(fault.path)
    return file is None or gate.in_scope(settings, file.module, Role(file.role).value)


def _unread(project: Project) -> tuple[Fault, ...]:
    return tuple(sorted({*project.universe.not_judged, *project.program.unread}))


def _owned(owners: Owners, violation: Violation) -> Violation:
    return replace(violation, owners=owners.of(violation.sites[0].path)) if violation.sites else violation


def account(project: Project) -> FileAccount:
    """Return what became of every file."""
    unread = _unread(project)
    lost = {fault.path for fault in unread}
    ours = f"{project.config.documents}/{FOLDER}/"  # our own lock and journal are no files of the project
    return FileAccount(
        scanned=sum(file.path not in lost for file in project.universe.files),
        left_out=tuple(sorted(Counter(rule for path, rule in project.universe.left_out if path != ours).items())),
        not_judged=unread,
        grammar=project.program.grammar,
        roots=tuple(root.path for root in project.universe.roots),
    )


def _nothing_asked(config: Config) -> Fault:
    remedy = 'Write `gates = ["blindspots", "cycles"]`, or name a gate.'
    return Fault(config.file, 0, "no gate is switched on and none was named.", remedy)


def narrow(whole: Run, paths: frozenset[str] | None, what: str) -> Run:
    """Return the run with only the violations that touch one of the paths, and never a stale one.

    None stands for a change of the law itself: that touches every violation.

    A violation touches a path by a place of its own, by a place that brings it about (a step of a chain, a module
    that was deleted), and by a folder or package that is meant as a whole. The whole was judged; only what is shown,
    and with it the status, is narrowed. Not judged stays.
    """
    changed = None if paths is None else _Changed(paths)
    verdicts = tuple(_narrowed(verdict, changed) for verdict in whole.verdicts)
    return replace(whole, verdicts=verdicts, narrowed=what, law_changed=changed is None)


def _narrowed(verdict: Verdict, changed: _Changed | None) -> Verdict:
    excess = (violation for violation in verdict.violations if not violation.kind.stale)
    # What the guard shows is a difference already.
    kept = tuple(v for v in excess if changed is None or v.kind is Kind.LOOSENED or changed.touched_by(v))
    held = verdict.status is Status.BROKEN and not kept
    return replace(verdict, status=Status.HELD if held else verdict.status, violations=kept, tolerated=(), notes=())


class _Changed:
    """Paths that were changed, and the folders above them."""

    def __init__(self, paths: frozenset[str]) -> None:
        self._paths = paths
        self._folders = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}

    def touched_by(self, violation: Violation) -> bool:
        """Say whether the violation has to do with a changed path."""
        return any(map(self._holds, (*violation.sites, *violation.through)))

    def _holds(self, site: Site) -> bool:
        if site.path in self._paths:
            return True
        # A place without a line means a file, a folder, or by its `__init__` a package, as a whole.
        whole = site.path.removesuffix("/__init__.py").removesuffix("/__init__.pyi")
        return not site.line and whole in self._folders
