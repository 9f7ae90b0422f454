"""Which statements of a script in Python call us, as `session.run("abutment", "check")` of a noxfile does?

The file is read by its outward form, statement by statement, and nothing of it is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from abutment.guard.ci.calls import Call, calls_in

_STRING = re.compile(r"\"([^\"\\]*)\"|'([^'\\]*)'")
_DOCUMENTS = re.compile(r"^[ \t]*[rRuU]?(\"{3}|'{3}).*?\1", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"#.*$")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w.(=]|\s*=[^=])")
_ASSIGNS = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)(?P<value>.*)", re.DOTALL)
_DEFINES = re.compile(r"(?:async\s+)?def\s|class\s")
_RETURNS = re.compile(r"\breturn\b|\braise\b|\bskip\(|\bexit\(|\bchdir\(|\bcd\(|\benv\b|\benviron\b|\brun\s*=")
_CHOOSES = re.compile(r"\boptions\.(?:sessions|keywords|tags|default_venv|stop_on_first|error_on)\w*\b")
_LEAVES_OUT = re.compile(r"\bdefault\s*=\s*False\b")
_OPENS, _CLOSES = "([{", ")]}"

Statement = tuple[int, str]  # the number of its first line, and its text on one line


def python_calls(text: str, own: Sequence[str]) -> Iterator[Call]:
    """Yield the calls in a script; what stands around the texts is part of how."""
    statements = list(_statements(text))
    values = dict(_values(statements))
    chosen = [f"behind `{one.strip()}`" for _number, one in statements if _CHOOSES.search(one)]
    marks: list[str] = []  # in front of the next function
    outside: list[str] = []  # the statements that stand in none
    around, ahead = list[str](), outside  # what was in front of this one, and the statements that are
    for number, code in statements:
        if code.startswith("@"):
            marks.append(code)
        elif _DEFINES.match(code):
            around, marks, ahead = [*chosen, *_decorated(marks)], [], []
        else:
            around, ahead = (around, ahead) if _indent(code) else (chosen, outside)
            said = "" if _is_value(code, values) else _put_in(code, values)
            for call in _called(said, own, number):
                yield call.under(*around, *_ahead(ahead, code))
            ahead.append(code)


def _statements(text: str) -> Iterator[Statement]:
    """Yield the statements, those that go on in brackets on one line, without comments."""
    begun, number, deep = "", 0, 0
    for index, line in enumerate(_DOCUMENTS.sub(_blank, text).splitlines()):
        code = _without_comment(line).rstrip()
        number = number if begun else index
        begun = f"{begun} {code.strip()}".rstrip("\\") if begun else code
        bare = _STRING.sub("", code)
        deep += sum(bare.count(sign) for sign in _OPENS) - sum(bare.count(sign) for sign in _CLOSES)
        if deep <= 0 and not code.endswith("\\"):
            yield from [(number, begun)] if begun.strip() else []
            begun, deep = "", 0
    if begun.strip():
        yield number, begun


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _without_comment(line: str) -> str:
    hidden = _STRING.sub(lambda found: "x" * len(found[0]), line)
    found = _COMMENT.search(hidden)
    return line if found is None else line[: found.start()]


def _values(statements: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Yield the names that are given texts and nothing else, once and for all, with the texts as they are written."""
    given: dict[str, list[str]] = {}
    for _number, code in statements:
        found = _ASSIGNS.fullmatch(code)
        if found:
            given.setdefault(found["name"], []).append(found["value"])
    for name, written in given.items():
        texts = [found[0] for found in _STRING.finditer(written[0])]
        if texts and not _STRING.sub("", written[0]).strip("()[], \t") and not _is_changed(name, statements):
            yield name, ", ".join(texts)


def _is_changed(name: str, statements: Sequence[Statement]) -> bool:
    """Say whether a name that was given a value may have another one as well."""
    spelled = rf"(?<![\w.]){re.escape(name)}"
    written = re.compile(rf"{spelled}\s*(?:[.\[]|(?:[-+*/|&:]|:[^=]+)?=(?!=))")
    bound = re.compile(rf"\b(?:import|for|as|global|nonlocal|del|def|class)\s.*{spelled}\b")
    bare = [_STRING.sub("", code) for _number, code in statements]
    return sum(len(written.findall(code)) for code in bare) != 1 or any(map(bound.search, bare))


def _is_value(code: str, values: Mapping[str, str]) -> bool:
    """Say whether a statement only gives a name its value, which is put in where that is used."""
    found = _ASSIGNS.fullmatch(code)
    return found is not None and found["name"] in values


def _put_in(code: str, values: Mapping[str, str]) -> str:
    """Return a statement with texts in place of the names that stand for them."""
    return "".join(
        part if at % 2 else _NAME.sub(lambda found: values.get(found[0], found[0]), part)
        for at, part in enumerate(_parted(code))
    )


def _parted(code: str) -> Iterator[str]:
    """Yield what stands outside of texts and the texts, in turns."""
    at = 0
    for found in _STRING.finditer(code):
        yield from (code[at : found.start()], found[0])
        at = found.end()
    yield code[at:]


def _called(code: str, own: Sequence[str], number: int) -> Iterator[Call]:
    words = " ".join(chain.from_iterable(filter(None, found.groups()) for found in _STRING.finditer(code)))
    around = "".join(_STRING.sub("", code).replace(",", " ").replace("*", " ").split())
    for call in calls_in(words, own, first_line=number + 1):
        yield call.under(f"by {around}")


def _decorated(marks: Sequence[str]) -> Iterator[str]:
    """Yield what makes a function no session, or one that is not run where none is named."""
    if not marks:
        yield "in a function without a decorator"
    yield from (f"behind `{mark.strip()}`" for mark in marks if _LEAVES_OUT.search(mark))


def _ahead(ahead: Sequence[str], code: str) -> Iterator[str]:
    """Yield what the statements in front of one make of it: they may return, or it is inside of them."""
    indent = _indent(code)
    for line in reversed(list(_outer(ahead, code))):
        if _RETURNS.search(line):
            yield f"behind `{' '.join(line.split())}`"
        if _indent(line) < indent:
            indent = _indent(line)
            if line.endswith(":"):
                yield f"inside `{' '.join(line.split())}`"


def _outer(ahead: Sequence[str], code: str) -> Iterator[str]:
    """Yield the statements without those of functions that are only defined in front of this one."""
    inner: int | None = None  # how far such a function is indented
    for at, line in enumerate(ahead):
        inner = inner if inner is not None and _indent(line) > inner else None
        if inner is None:
            yield line
            ends = any(_indent(one) <= _indent(line) for one in (*ahead[at + 1 :], code))
            inner = _indent(line) if ends and _DEFINES.match(line.lstrip()) else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
