"""What do GitHub's workflows and composite actions run, on what, and under which conditions?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.job import conditions_of, environment, left_by, needed
from abutment.guard.ci.parts import use_of
from abutment.guard.ci.told import Told, told_by_jobs, told_by_steps
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
    for name, value in jobs.items():
        job = mapping(value)
        conditions = [*around, *conditions_of(job), *needed(jobs, job)]
        conditions += told_by_jobs(one_line(job.get("if", "")), jobs)
        own_line = document.locate(("jobs", name))
        steps = step_calls(document, ("jobs", name, "steps"), job.get("steps"), own, (whole, job))
        for call in (*_used(job, own, own_line), *steps):
            yield replace(call.under(*conditions), when=frozenset(when))


def action_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of a composite action."""
    yield from step_calls(document, ("runs", "steps"), mapping(mapping(document.value).get("runs")).get("steps"), own)


def step_calls(
    document: YamlDocument,
    at: tuple[str | int, ...],
    steps: object,
    own: Sequence[str],
    around: Sequence[Mapping[str, object]] = (),
) -> Iterator[Call]:
    """Yield the calls of a list of steps; `around` are the parts that they stand in, which may set variables."""
    left, told = list[str](), Told()
    for index, value in enumerate(sequence(steps)):
        step = mapping(value)
        values = told.values_for(step, around)
        conditions = [*left, *map(values.put_in, conditions_of(step)), *told_by_steps(_decisive(step), sequence(steps))]
        for call in _used(step, own, document.locate((*at, index))):
            yield call.under(*conditions)
        script = step.get("run")
        if isinstance(script, str):
            line = document.locate((*at, index, "run"))
            for call in calls_in(values.put_in(script), own, first_line=line, values=values):
                yield call.under(*conditions)
        left += [*left_by(step), *told.hear(step)]


def _decisive(step: Mapping[str, object]) -> str:
    """Return what of a step decides whether we are called, and for what."""
    lines = spelled(step.get("run", "")).splitlines()
    return "\n".join([one_line(step.get("if", "")), *(line for line in lines if "abutment" in line)])


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
        branches = [spelled(name) for name in sequence(about.get("branches"))]
        when.update(f"{event} of {_ANY if branch in _ALL else branch}" for branch in branches or [_ANY])
        usual = list(_USUAL) if event.startswith("pull_request") else []
        when.update(f"{event} when {kind}" for kind in map(spelled, sequence(about.get("types")) or usual))
        rest = {name: _from_top(name, found) for name, found in about.items() if name not in _LOOKED_INTO}
        if branches:
            rest.pop("tags", None)  # they come to the branches
        narrowed += [f"{event} only by {name}: {one_line(found)}" for name, found in sorted(rest.items())]
    return when, narrowed
