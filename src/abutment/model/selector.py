"""Which modules does a name in a contract mean?"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Selector:
    """A dotted name that stands for a module and everything below it, at dot boundaries.

    `app.db` matches `app.db` and `app.db.models`, never `app.dbx`. A segment `*` stands for exactly one
    segment, `**` for one or more. A leading `=` means the module alone: `=app.db` matches only `app.db`.
    """

    text: str
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        """Refuse what is no dotted name; raises ValueError."""
        name = self.text.removeprefix("=")
        if not all(name.split(".")) or name != name.strip():
            raise ValueError(f"{self.text!r} is no dotted module name")
        if "*" in name:
            if any("*" in part and part not in ("*", "**") for part in name.split(".")):
                raise ValueError(f"{self.text!r}: a wildcard must be a whole segment, `*` or `**`")
            body = r"\.".join(_segment(part) for part in name.split("."))
            tail = "" if self.text.startswith("=") else r"(?:\..+)?"
            object.__setattr__(self, "_pattern", re.compile(body + tail, re.DOTALL))

    @property
    def name(self) -> str:
        """The dotted name without the `=` mark."""
        return self.text.removeprefix("=")

    @property
    def exact(self) -> bool:
        """Say whether only the module itself is meant."""
        return self.text.startswith("=")

    @property
    def wild(self) -> bool:
        """Say whether it holds a wildcard."""
        return self._pattern is not None

    def matches(self, module: str) -> bool:
        """Say whether the module is meant."""
        if self._pattern is not None:
            return self._pattern.fullmatch(module) is not None
        if self.exact:
            return module == self.text[1:]
        return module == self.text or module.startswith(self.text + ".")


def _segment(part: str) -> str:
    if part == "*":
        return r"[^.]+"
    if part == "**":
        return r"[^.]+(?:\.[^.]+)*"
    return re.escape(part)


def nearest(name: str, known: Container[str]) -> str:
    """Return the longest beginning of a dotted name that is known, the name itself included; "" where none is."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def within(module: str, package: str) -> bool:
    """Say whether `module` is `package` or below it, at a dot boundary."""
    return module == package or module.startswith(package + ".")
