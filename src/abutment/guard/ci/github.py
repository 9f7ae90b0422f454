"""What do GitHub's workflows and composite actions run, on what, and under which conditions?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.job import conditions_of, environment, left_by, needed
from abutment.guard.ci.matrix import is_true, members_of
from abutment.guard.ci.parts import use_of
from abutment.guard.ci.told import NO_INPUTS, Told, told_by_inputs, told_by_jobs, told_by_steps
from abutment.guard.ci.values import Values
from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import YamlDocument, mapping, sequence

_ANY = "any branch"
_ALL = ("**", _ANY)
_USUAL = ("opened", "reopened", "synchronize")  # what `pull_request` means where no types are written
_LOOKED_INTO = ("branches", "types", "inputs", "outputs", "secrets")  # the last three only tell or are told


def workflow_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a workflow, each with what it runs on and with the conditions of its step and its job.

    `own` may hold paths of the repository's own workflows and actions: to use one of them is a call.
    """
    whole = mapping(document.value)
    when, narrowed = _triggers(whole.get("on"))
    jobs = mapping(whole.get("jobs"))
    around = [*narrowed, *environment(whole), *conditions_of({"defaults": whole.get("defaults")})]
    members = (
        (name, job) for name in jobs for job in members_of(mapping(jobs[name]), _decisive_of(mapping(jobs[name])))
    )
    for name, job in members:
        for call in _job_calls(document, name, job, whole, own) if is_true(job.get("if")) is not False else ():
            yield replace(call.under(*around), when=frozenset(when))


def _job_calls(
    document: YamlDocument, name: str, job: Mapping[str, object], whole: Mapping[str, object], own: Sequence[str]
) -> Iterator[Call]:
    jobs, inputs = mapping(whole.get("jobs")), _inputs(whole.get("on"))
    asked = "\n".join(one_line(job.get(key, "")) for key in ("if", "strategy"))
    conditions = [*conditions_of(job), *needed(jobs, job), *told_by_jobs(asked, jobs), *told_by_inputs(asked, inputs)]
    steps = step_calls(document, ("jobs", name, "steps"), job, own, (whole, job), inputs)
    for call in (*_used(job, own, document.locate(("jobs", name))), *steps):
        yield call.under(*conditions)


def action_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a composite action."""
    whole = mapping(document.value)
    inputs = mapping(whole.get("inputs"))
    yield from step_calls(document, ("runs", "steps"), mapping(whole.get("runs")), own, inputs=inputs)


def step_calls(
    document: YamlDocument,
    at: tuple[str | int, ...],
    job: Mapping[str, object],
    own: Sequence[str],
    around: Sequence[Mapping[str, object]] = (),
    inputs: Mapping[str, object] = NO_INPUTS,
) -> Iterator[Call]:
    """Yield the calls of the steps of a job, or of an action.

    `around` are the parts that they stand in, which may set variables; `inputs` are those of the whole.
    """
    left, told, steps = list[str](), Told(), sequence(job.get("steps"))
    for index, value in enumerate(steps):
        step = mapping(value)
        if is_true(step.get("if")) is not False:
            values, place = told.values_for(step, around), (*at, index)
            conditions = [*left, *map(values.put_in, conditions_of(step))]
            conditions += [*told_by_steps(_decisive(step), steps), *told_by_inputs(_said_by(step), inputs)]
            for call in (*_used(step, own, document.locate(place)), *_run(document, place, step, own, values)):
                yield call.under(*conditions)
        left += [*left_by(step), *told.hear(step)]


def _run(
    document: YamlDocument, at: tuple[str | int, ...], step: Mapping[str, object], own: Sequence[str], values: Values
) -> Iterator[Call]:
    script = step.get("run")
    if isinstance(script, str):
        yield from calls_in(values.put_in(script), own, first_line=document.locate((*at, "run")), values=values)


def _decisive_of(job: Mapping[str, object]) -> str:
    """Return what of a job decides the same of any of its steps."""
    rest = {key: value for key, value in job.items() if key not in ("name", "steps", "strategy", "runs-on", "outputs")}
    return "\n".join([one_line(rest), *(_said_by(mapping(step)) for step in sequence(job.get("steps")))])


def _said_by(step: Mapping[str, object]) -> str:
    """Return all of a step but what concerns somebody else."""
    used, script = spelled(step.get("uses", "")), spelled(step.get("run", ""))
    passed = {} if used.startswith("./") else {"with"}
    rest = {key: value for key, value in step.items() if key not in {"name", "id", "run", *passed}}
    return "\n".join([one_line(rest), *(script for word in ("abutment", "make") if word in script)])


def _decisive(step: Mapping[str, object]) -> str:
    """Return what of a step decides whether we are called, and for what."""
    lines = spelled(step.get("run", "")).splitlines()
    return "\n".join([one_line(step.get("if", "")), *(line for line in lines if "abutment" in line)])


def _inputs(on: object) -> Mapping[str, object]:
    """Return the inputs of a workflow that is called by others, or by hand."""
    events = [mapping(mapping(on).get(name)) for name in ("workflow_dispatch", "workflow_call")]
    return {name: about for event in events for name, about in mapping(event.get("inputs")).items()}


def _used(part: Mapping[str, object], own: Sequence[str], line: int) -> Iterator[Call]:
    used = spelled(part.get("uses", "")).rstrip("/")
    if used in own:
        yield Call(use_of(used), line=line)


def _from_top(name: str, found: object) -> object:
    """Return patterns of paths with the top of the repository in front, where they begin."""
    if name not in ("paths", "paths-ignore"):
        return found
    return [re.sub(r"^(!?)/*", r"\1/", spelled(pattern)) for pattern in sequence(found)]


def _triggers(value: object) -> tuple[set[str], list[str]]:
    """Return on which events and branches a workflow runs, and by what that is narrowed further."""
    events = {name: mapping(about) for name, about in mapping(value).items()} if isinstance(value, dict) else {}
    if not isinstance(value, dict):
        events = {spelled(name): {} for name in sequence(value)}
    when: set[str] = set()
    narrowed: list[str] = []
    for event, about in events.items():
        patterns = [spelled(name) for name in sequence(about.get("branches"))]
        branches = [name for name in patterns if not name.startswith("!")]
        when.update(f"{event} of {_ANY if branch in _ALL else branch}" for branch in branches or [_ANY])
        usual = list(_USUAL) if event.startswith("pull_request") else []
        when.update(f"{event} when {kind}" for kind in map(spelled, sequence(about.get("types")) or usual))
        rest = {name: _from_top(name, found) for name, found in about.items() if name not in _LOOKED_INTO}
        if branches != patterns:
            rest["branches"] = patterns  # of such a list the order counts
        if branches:
            rest.pop("tags", None)  # they come to the branches
        narrowed += [f"{event} only by {name}: {one_line(found)}" for name, found in sorted(rest.items())]
    return when, narrowed
