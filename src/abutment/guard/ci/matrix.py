"""What does a job run in each of the jobs that its matrix makes of it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product

from abutment.guard.spelling import one_line, spelled
from abutment.sources.yaml_document import mapping, sequence

Member = Mapping[str, str]  # the values by which one of the jobs is told from the others
_ASKED = re.compile(r"\bmatrix\.([\w-]+)(?![\w.-])")
_EQUALS = re.compile(r"(?:\$\{\{)?\s*'(?P<one>[^']*)'\s*(?P<sign>[!=]=)\s*'(?P<other>[^']*)'\s*(?:\}\})?")
_MOST = 256  # as many jobs as GitHub makes of one matrix
_TOLD_APART_BY = ("include", "exclude")


def members_of(job: Mapping[str, object], decisive: str) -> Iterator[Mapping[str, object]]:
    """Yield a job with values in place of what its `decisive` texts ask of its matrix, once for each of these.

    Two that differ in nothing that is asked for are one. A value that nobody can know stays as it is written.
    """
    matrix = mapping(mapping(job.get("strategy")).get("matrix"))
    asked = sorted(set(_ASKED.findall(decisive)) & _known(matrix))
    found = {tuple(member.get(name, "") for name in asked) for member in _members(matrix)} if asked else {()}
    for values in sorted(found):
        said = dict(zip(asked, values, strict=True))
        yield {key: value if key == "strategy" else _put(value, said) for key, value in job.items()} if asked else job


def is_true(condition: object) -> bool | None:
    """Say what comes of a condition that compares two texts; None of any other."""
    found = _EQUALS.fullmatch(one_line(condition))
    return None if found is None else (found["one"].lower() == found["other"].lower()) == (found["sign"] == "==")


def _known(matrix: Mapping[str, object]) -> set[str]:
    lists = {name for name, values in matrix.items() if isinstance(values, list)} - {*_TOLD_APART_BY}
    included = {name for one in sequence(matrix.get("include")) for name in mapping(one)}
    return lists | (included - matrix.keys())


def _members(matrix: Mapping[str, object]) -> list[Member]:
    """Return the jobs; what is included goes to those that it fits, and is one more where it fits none."""
    axes = {name: list(map(spelled, sequence(matrix[name]))) for name in matrix if name not in _TOLD_APART_BY}
    products = islice(product(*axes.values()), _MOST)
    found = [dict(zip(axes, values, strict=True)) for values in products] if axes else []
    plain, more = list(found), list[dict[str, str]]()
    for one in sequence(matrix.get("include")):
        entry = {name: spelled(value) for name, value in mapping(one).items()}
        fitting = [member for member in plain if all(member[name] == entry[name] for name in axes.keys() & entry)]
        for member in fitting:
            member.update(entry)
        more += [] if fitting else [entry]
    return [*found, *more]


def _put(value: object, said: Member) -> object:
    if isinstance(value, str):
        for name, text in said.items():
            value = _put_one(value, rf"matrix\.{re.escape(name)}(?![\w.-])", text)
        return value
    if isinstance(value, Mapping):
        return {key: _put(each, said) for key, each in value.items()}
    return [_put(each, said) for each in value] if isinstance(value, list) else value


def _put_one(text: str, named: str, value: str) -> str:
    """Return a text with a value where all of an expression asks for it, and with it as a text inside of one."""
    whole = re.sub(rf"\$\{{\{{\s*{named}\s*\}}\}}", lambda _: value, text)
    return re.sub(rf"\b{named}", lambda _: f"'{value}'", whole)
