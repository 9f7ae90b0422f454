"""What do the keys of a GitHub step or job, and the steps in front of it, make of what it runs?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from abutment.guard.ci.around import IN_FOLDER, reach_on
from abutment.guard.ci.front import governing
from abutment.guard.ci.matrix import is_true
from abutment.guard.ci.parts import reached
from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import mapping, sequence

# What takes nothing from a step or a job. Each other key does, as far as is known here.
_NEUTRAL = frozenset(
    {"name", "id", "run", "uses", "runs-on", "steps", "permissions", "concurrency", "outputs", "services", "secrets"}
    | {"needs", "env", "strategy", "defaults"}  # they are looked into
)
_WITHOUT_VALUE = frozenset({"timeout-minutes"})
_SHELLS = ("bash", "sh", "")
_HERE = ("", ".", "./", "${{ github.workspace }}")
# With these a part runs where it would have run without, or more often.
_RUNS = re.compile(
    r"(\$\{\{\s*)?(always\(\)|success\(\)|true|!\s*cancelled\(\)|success\(\) \|\| failure\(\))(\s*\}\})?"
)
_CHECKOUT = "actions/checkout@"
_CHECKOUT_NEUTRAL = frozenset(
    {"fetch-depth", "fetch-tags", "persist-credentials", "token", "ssh-key", "submodules", "lfs", "clean"}
    | {"show-progress", "set-safe-directory"}
)


def conditions_of(part: Mapping[str, object]) -> Iterator[str]:
    """Yield what a step or a job says about whether it runs, where, with what, and whether it may fail."""
    for key, value in part.items():
        text = one_line(value)
        if key in _NEUTRAL or (key == "with" and "uses" not in part):
            continue
        if key == "working-directory":
            yield "" if text in _HERE else f"{IN_FOLDER}{text}"
        elif key == "container":
            yield f"container: {_image(value)}"
        elif not _is_plain(key, text):
            yield key if key in _WITHOUT_VALUE else f"{key}: {text}"
    yield from environment(part)
    yield from _strategy(mapping(part.get("strategy")))
    if "defaults" in part:
        yield from conditions_of(mapping(mapping(part["defaults"]).get("run")))


def environment(part: Mapping[str, object]) -> Iterator[str]:
    """Yield the variables that decide what a command means."""
    return governing("env: ", mapping(part.get("env")))


def needed(jobs: Mapping[str, object], job: Mapping[str, object]) -> Iterator[str]:
    """Yield what keeps the jobs from running that a job waits for: then it is left out as well."""
    for name in reached(_needs(job), lambda name: _needs(mapping(jobs.get(name)))):
        other = mapping(jobs.get(name))
        if name not in jobs:
            yield f"needs {name}, which is no job"
        stops = conditions_of({k: v for k, v in other.items() if k in ("if", "strategy")})
        yield from (f"needs {name}, with {one}" for one in stops if one)


def _needs(job: Mapping[str, object]) -> Iterator[str]:
    return map(spelled, sequence(job.get("needs")))


def left_by(step: Mapping[str, object]) -> Iterator[str]:
    """Yield what a step leaves behind for those that follow it: another tree, or another meaning of our name."""
    if spelled(step.get("uses", "")).startswith(_CHECKOUT):
        for key, value in mapping(step.get("with")).items():
            if key not in _CHECKOUT_NEUTRAL and one_line(value):
                yield f"checkout with {key}: {one_line(value)}"
    yield from reach_on(spelled(step.get("run", "")))


def _is_plain(key: str, text: str) -> bool:
    plain: dict[str, Iterable[str]] = {"continue-on-error": ("false", ""), "shell": _SHELLS}
    return text in plain.get(key, ()) or (key == "if" and (is_true(text) or _RUNS.fullmatch(text) is not None))


def _image(value: object) -> str:
    """Return which image a job runs in, whatever its version."""
    return re.sub(r"(?::[\w.-]+)?(?:@\w+:\w+)?$", "", one_line(mapping(value).get("image", value)))


def _has_members(value: object) -> bool:
    return isinstance(value, list) and bool(value)


def _strategy(strategy: Mapping[str, object]) -> Iterator[str]:
    matrix = strategy.get("matrix")
    if isinstance(matrix, dict):
        yield from (f"matrix.exclude: {one_line(matrix['exclude'])}" for _ in range("exclude" in matrix))
        yield from (f"matrix.{key}: {one_line(value)}" for key, value in matrix.items() if not _has_members(value))
    elif matrix is not None:
        yield f"matrix: {one_line(matrix)}"
