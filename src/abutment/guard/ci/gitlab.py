"""What does a GitLab pipeline run, and under which conditions?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.guard.ci.calls import Call, calls_in
from abutment.guard.ci.front import governing
from abutment.guard.ci.includes import INCLUDE, LOCAL
from abutment.guard.ci.parts import reached
from abutment.guard.ci.values import Values
from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import Reference, YamlDocument, mapping, sequence

_DEEPEST = 10  # templates of templates
# What takes nothing from a job. Each other key does, as far as is known here.
_NEUTRAL = frozenset(
    {"script", "before_script", "after_script", "stage", "extends", "image", "services", "tags", "cache", "artifacts"}
    | {"coverage", "interruptible", "retry", "resource_group", "id_tokens", "secrets", "dependencies", "release"}
    | {"needs", "variables", "name"}  # the first two are looked into
)
_PLAIN = {"allow_failure": ("false",), "when": ("on_success", "always")}
_SCRIPTS = ("before_script", "script", "after_script")  # read line by line
# Variables of the runner, and the values with which it takes the code of the commit, which it does by itself.
_TAKING = {"GIT_STRATEGY": ("fetch", "clone"), "GIT_CHECKOUT": ("true",), "GIT_CLONE_PATH": ()}
# What a job has from the whole pipeline where it says nothing of it itself.
_GLOBAL = ("before_script", "image", "services", "cache")


def pipeline_calls(document: YamlDocument, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of every job that runs; what only is a template does not."""
    whole = mapping(document.value)
    jobs = {name: _job(whole, value) for name, value in whole.items() if name not in ("default", "workflow")}
    around = [*_conditions(mapping(whole.get("workflow")), "workflow "), *_variables(whole), *_included(whole)]
    for name, job in jobs.items():
        if name.startswith(".") or "script" not in job:
            continue
        script = [line for key in ("before_script", "script") for line in _lines(whole, job.get(key), _DEEPEST)]
        values = _values(whole, job)
        conditions = [*around, *_conditions(job), *_variables(job), *_needed(jobs, job)]
        for call in calls_in("\n".join(script), own, values=values.copy()):
            told = map(values.put_in, conditions)
            yield replace(call.under(*told), line=document.locate((name, "script")))


def _values(whole: Mapping[str, object], job: Mapping[str, object]) -> Values:
    variables = {**mapping(whole.get("variables")), **mapping(job.get("variables"))}
    return Values({name: one_line(mapping(value).get("value", value)) for name, value in variables.items()})


def _job(whole: Mapping[str, object], value: object) -> Mapping[str, object]:
    """Return a job with what it has from the pipeline, from its templates and from what it refers to."""
    around = {key: whole[key] for key in _GLOBAL if key in whole}
    job = {**around, **mapping(whole.get("default")), **_extended(whole, mapping(value), _DEEPEST)}
    return {key: part if key in _SCRIPTS else _in_place(whole, part, _DEEPEST) for key, part in job.items()}


def _in_place(whole: Mapping[str, object], value: object, deep: int) -> object:
    """Return a value with what it refers to in the place of `!reference`, lists in lists as one."""
    found = _referred(whole, value)
    if found is not None and deep:
        return _in_place(whole, found, deep - 1)
    if not isinstance(value, list):
        return value
    parts = [(isinstance(part, list), _in_place(whole, part, deep)) for part in value]
    return [inner for nested, part in parts for inner in (part if nested and isinstance(part, list) else [part])]


def _lines(whole: Mapping[str, object], value: object, deep: int) -> Iterator[str]:
    """Yield the lines of a script, those of `!reference [.template, script]` in its place."""
    found = _referred(whole, value)
    if found is not None and deep:
        yield from _lines(whole, found, deep - 1)
        return
    for part in sequence(value):
        if isinstance(part, list):
            yield from _lines(whole, part, deep)
        else:
            yield spelled(part)


def _referred(whole: Mapping[str, object], value: object) -> object:
    if not isinstance(value, Reference):
        return None
    found: object = whole
    for key in value:
        found = mapping(found).get(spelled(key))
    return found


def _extended(whole: Mapping[str, object], job: Mapping[str, object], deep: int) -> Mapping[str, object]:
    """Return the job with what it takes from its templates."""
    found: dict[str, object] = {}
    for name in sequence(job.get("extends")) if deep else ():
        found.update(_extended(whole, mapping(whole.get(spelled(name))), deep - 1))
    return {**found, **job}


def _conditions(part: Mapping[str, object], of: str = "") -> Iterator[str]:
    for key, value in part.items():
        if key not in _NEUTRAL and value not in _PLAIN.get(key, ()):
            yield f"{of}{key}: {one_line(value)}"


def _variables(part: Mapping[str, object]) -> Iterator[str]:
    """Yield the variables that decide what a command means, and on which code it runs."""
    variables = mapping(part.get("variables"))
    yield from governing("variable ", variables)
    for name, plain in _TAKING.items():
        value = one_line(mapping(variables.get(name)).get("value", variables.get(name, "")))
        if value and value not in plain:
            yield f"variable {name}={value}"


def _included(whole: Mapping[str, object]) -> Iterator[str]:
    """Yield the conditions under which files of the repository are part of the pipeline."""
    for entry in map(mapping, sequence(whole.get(INCLUDE))):
        if entry.keys() > {LOCAL}:
            yield f"{INCLUDE}: {one_line(entry)}"


def _needed(jobs: Mapping[str, Mapping[str, object]], job: Mapping[str, object]) -> Iterator[str]:
    """Yield what keeps the jobs from running that a job waits for: then it waits as well."""
    for name in reached(_needs(job), lambda name: _needs(jobs.get(name, {}))):
        other = jobs.get(name, {})
        stops = {key: other[key] for key in ("when", "rules", "only", "except", "start_in") if key in other}
        yield from (f"needs {name}, with {one}" for one in _conditions(stops))


def _needs(job: Mapping[str, object]) -> Iterator[str]:
    for need in sequence(job.get("needs")):
        yield spelled(mapping(need).get("job", need if isinstance(need, str) else ""))
