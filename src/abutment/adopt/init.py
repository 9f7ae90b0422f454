"""How does a codebase that was never judged get its first law, and a new gate its first record?

Two steps, each whole by itself: the configuration, then the baselines of all gates that can be fully judged, in one
write. What was interrupted between the two, or could not be judged at first, is taken up by running it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from abutment import __version__
from abutment.adopt.configuration import Carry, Place, propose_configuration
from abutment.baselines.again import plan_again
from abutment.baselines.law import Law, keeps_baseline
from abutment.baselines.plan import Plan, joined
from abutment.baselines.reading import Documents, read_documents
from abutment.baselines.record import plan_init, start_anew
from abutment.baselines.store import commit, finish
from abutment.config import Config, read_config
from abutment.errors import NotJudged, Refused, UnknownName
from abutment.gates import load_gates
from abutment.gates.gate import Gate
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.git import ignored_files
from abutment.sources.settings import OWN_FILE, PYPROJECT, Given, RawSettings, settings_from
from abutment.sources.settings_file import render_configuration, write_configuration
from abutment.sources.universe import Universe
from abutment.verdicts.law import law_before_init


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked for."""

    gates: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    dry_run: bool = False
    again: bool = False
    reason: str = ""
    carry: Carry | None = None  # contracts come from another tool's configuration
    given: Given = field(default_factory=dict)  # settings of gates for this run alone


@dataclass(frozen=True, slots=True)
class Judging:
    """How gates are set up and measured; `run.py` knows, and stands above this room."""

    settings: Callable[[Config, Iterable[Gate]], Mapping[str, Any]]
    measure: Callable[[Config, Universe, Program, Gate, Any, Grants], Measurement]


@dataclass(frozen=True, slots=True)
class InitOutcome:
    """What was done, as lines to print, and what could not be done."""

    lines: tuple[str, ...]
    faults: tuple[Fault, ...] = ()  # files that could not be read, gates that could not be judged
    written: tuple[str, ...] = ()  # paths relative to the root

    @property
    def exit_status(self) -> int:
        """0 where everything was recorded, 2 where something could not be judged."""
        return 2 if self.faults else 0


def initialise(asked: Asked, place: Place, judging: Judging) -> InitOutcome:
    """Write the first configuration and baselines, or the baselines that are missing.

    Raises Refused where something would be overwritten, NotJudged where nothing can be said of the code at all;
    in both cases nothing was written.
    """
    raw = _configured(place)
    if raw is None:
        return _first_time(asked, place, judging)
    return _later(asked, place, judging, raw)


def _configured(place: Place) -> RawSettings | None:
    """Return the configuration that the folder has; raises NotJudged where it has two."""
    found = []
    for name in (PYPROJECT, OWN_FILE):
        if place.tree.exists(name):
            raw = settings_from(name, place.tree.read(name), str(place.root))
            if raw.table:
                found.append(raw)
    if len(found) > 1:
        raise NotJudged(Fault(OWN_FILE, 0, f"{PYPROJECT} beside it has [tool.abutment] as well.", "Keep one."))
    return found[0] if found else None


# --- the first time


def _first_time(asked: Asked, place: Place, judging: Judging) -> InitOutcome:
    if asked.again:
        raise Refused(Fault("", 0, "there is no configuration yet, so nothing was recorded before.", _FIRST))
    load_gates(asked.gates)  # a wrong name is told before the code is read
    proposed = propose_configuration(place, asked.roots, asked.gates, asked.carry)
    draft = render_configuration(place.root, proposed.settings, proposed.comments)
    file = draft.path.name
    config = read_config(settings_from(file, draft.text.encode(), str(place.root)), given=asked.given)
    gates = load_gates(config.gates)
    settings = judging.settings(config, gates)
    documents = read_documents(place.tree, config.documents)
    session = _Session(place, judging, config, settings, proposed.universe, proposed.program, documents)
    outcome = session.record(gates, overwrite_is_refused=True)
    lines = (
        *_section("Found", proposed.found),
        *_section("Decided", proposed.decided),
        *_section("Recorded", outcome.lines),
    )
    if asked.dry_run:
        shown = _section(f"Would write into {file}", draft.added.splitlines())
        steps = _section("Next", (_unchecked(each) for each in proposed.unchecked))
        return InitOutcome((*lines, *shown, *steps, *_would_write(outcome.plan)), outcome.faults)
    write_configuration(place.root, proposed.settings, proposed.comments)
    written = (file, *session.commit(outcome.plan))
    closing = _closing(written, config, outcome, place, first=True, unchecked=proposed.unchecked)
    return InitOutcome((*lines, *closing), outcome.faults, written)


_FIRST = "Run `abutment init` first."


# --- when there is a configuration


def _later(asked: Asked, place: Place, judging: Judging, raw: RawSettings) -> InitOutcome:
    config = read_config(raw, given=asked.given)
    _refuse_configured(asked, config)
    gates = load_gates(asked.gates) if asked.gates else load_gates(config.gates, config.gate_site)
    settings = judging.settings(config, gates)
    finished = () if asked.dry_run or not finish(place.root, config.documents) else _section("Finished", (_FINISHED,))
    documents = read_documents(place.tree, config.documents)
    universe = discover(place.tree, config.roots, config.exclude, place.tracked, outer=place.outer)
    program = build_program(universe, place.tree, cache=place.cache, jobs=place.jobs)
    session = _Session(place, judging, config, settings, universe, program, documents)
    if asked.again:
        outcome = session.record_again(gates, asked.reason)
    else:
        outcome = session.record(gates, overwrite_is_refused=bool(asked.gates))
    program.uses.keep()
    lines = _section("Recorded", outcome.lines)
    if asked.dry_run:
        return InitOutcome((*lines, *_would_write(outcome.plan)), outcome.faults)
    written = session.commit(outcome.plan)
    return InitOutcome((*finished, *lines, *_closing(written, config, outcome, place)), outcome.faults, written)


_FINISHED = "a write that was interrupted has been carried out first."


def _refuse_configured(asked: Asked, config: Config) -> None:
    if asked.roots or asked.carry is not None:
        option = "--root" if asked.roots else "--from"
        remedy = f"Change {config.file} by hand, or delete its table to start anew."
        raise Refused(Fault(config.file, 0, f"is configured already; {option} is for the first time.", remedy))
    if asked.again and not asked.gates:
        raise UnknownName(Fault("", 0, "--again needs the name of a gate.", "Say `abutment init GATE --again`."))


# --- recording


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is to be recorded, and what cannot be."""

    plan: Plan
    lines: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    left: tuple[str, ...] = ()  # gates that could not be judged
    idle: tuple[str, ...] = ()  # gates that are recorded, and not switched on


@dataclass(frozen=True, slots=True)
class _Session:
    """One configured codebase that was read, and its documents as they stand."""

    place: Place
    judging: Judging
    config: Config
    settings: Mapping[str, Any]  # of each gate
    universe: Universe
    program: Program
    documents: Documents

    def record(self, gates: Sequence[Gate], *, overwrite_is_refused: bool) -> _Outcome:
        """Return what gives every gate its first baseline; gates that have one are passed over unless that is refused.

        Raises Refused with every gate that cannot be recorded, and where there is nothing to record.
        """
        laws = {gate.name: self._law(gate) for gate in gates}
        missing = [gate for gate in gates if overwrite_is_refused or self._lacks_record(laws[gate.name])]
        if not missing:
            raise Refused(self._nothing_to_do(gates))
        return self._outcome(missing, laws, plan_init)

    def record_again(self, gates: Sequence[Gate], reason: str) -> _Outcome:
        """Return what records the new parts of gates that have a baseline."""
        laws = {gate.name: self._law(gate) for gate in gates}
        return self._outcome(gates, laws, lambda law, measured: plan_again(law, measured, reason))

    def commit(self, plan: Plan) -> tuple[str, ...]:
        """Write the plan; return the paths."""
        return commit(self.place.root, self.config.documents, plan, {"abutment": __version__})

    def _law(self, gate: Gate) -> Law:
        return law_before_init(self.documents, gate.terms(self.config.documents))

    @staticmethod
    def _lacks_record(law: Law) -> bool:
        return keeps_baseline(law.terms) and law.baseline is None

    def _nothing_to_do(self, gates: Sequence[Gate]) -> Fault:
        if not gates:
            return Fault(
                self.config.file, 0, "is configured, and switches no gate on.", "Name one, or fill in `gates`."
            )
        names = ", ".join(gate.name for gate in gates)
        message = f"is configured, and every gate that keeps a baseline has one ({names}); init never overwrites."
        return Fault(self.config.file, 0, message, f"Run `abutment check`. {start_anew(self.config.documents)}")

    def _outcome(
        self, gates: Sequence[Gate], laws: Mapping[str, Law], plan: Callable[[Law, Measurement], Plan]
    ) -> _Outcome:
        """Plan each gate by itself; those that cannot be fully judged are left, any refusal stops the whole."""
        plans: dict[str, Plan] = {}
        faults: list[Fault] = []
        refusals: list[Fault] = []
        for gate in gates:
            try:
                measured = self._measured(gate, laws[gate.name].grants)
            except NotJudged as refusal:
                faults += refusal.faults
                continue
            try:
                plans[gate.name] = plan(laws[gate.name], measured)
            except Refused as refusal:
                refusals += refusal.faults
        if refusals:
            raise Refused(refusals)
        left = tuple(gate.name for gate in gates if gate.name not in plans)
        lines = [line for one in plans.values() for line in one.lines]
        lines += (f"{name}: not recorded, as it could not be fully judged." for name in left)
        idle = tuple(name for name in plans if name not in self.config.gates)
        lines += (f"{name}: not switched on." for name in idle)
        whole = joined(plans.values()) if plans else Plan("init")
        return _Outcome(whole, tuple(lines), tuple(dict.fromkeys(faults)), left, idle)

    def _measured(self, gate: Gate, grants: Grants) -> Measurement:
        """Return a gate's facts; raises NotJudged where it could not see the whole."""
        settings = self.settings[gate.name]
        measured = self.judging.measure(self.config, self.universe, self.program, gate, settings, grants)
        if measured.faults:
            raise NotJudged(measured.faults)
        return measured


# --- words


def _section(title: str, lines: Iterable[str]) -> tuple[str, ...]:
    every = tuple(f"  {line}".rstrip() for line in lines)
    return (f"{title}:", *every, "") if every else ()


def _would_write(plan: Plan) -> tuple[str, ...]:
    paths = [change.path for change in plan.changes] + (["a receipt"] if plan.parts else [])
    return (*_section("Would write", paths), "Nothing was written (--dry-run).")


def _closing(
    written: Sequence[str],
    config: Config,
    outcome: _Outcome,
    place: Place,
    *,
    first: bool = False,
    unchecked: Sequence[str] = (),
) -> Iterator[str]:
    yield from _section("Written", written)
    steps = [_unchecked(each) for each in unchecked]
    ignored = ignored_files(place.root, written)
    steps += _next_steps(config, outcome, ignored, first=first, is_written=bool(written))
    yield from _section("Next", (f"{number}. {step}" for number, step in enumerate(steps, 1)))


def _unchecked(folder: str) -> str:
    return (
        f"{folder} is NOT checked by this configuration: run `abutment init --config {folder}`, and "
        f"`abutment check --config . --config {folder}`."
    )


def _next_steps(
    config: Config, outcome: _Outcome, ignored: Sequence[str], *, first: bool, is_written: bool
) -> list[str]:
    steps = []
    if ignored:
        steps.append(f"Tell git not to ignore {', '.join(ignored)}: nobody else would have this law.")
    if outcome.left:
        steps.append(
            f"Mend or exclude what is not judged, then run `abutment init` again for: {', '.join(outcome.left)}."
        )
    if first:
        steps.append(f"Read {config.file}; `abutment config --files` shows what became of every file.")
        steps.append(f"Does something not fit? Change it now. {start_anew(config.documents)}")
    if outcome.idle:
        quoted = ", ".join(f'"{name}"' for name in outcome.idle)
        steps.append(f"Add {quoted} to `gates` in {config.file}: until then `abutment check` does not ask it.")
    if is_written:
        steps.append(f"Commit {config.file} and {config.documents}.")
    steps.append("Run `abutment check` in CI and before each commit. What is recorded may only fall.")
    return steps
