"""What is wrong, between what the code has and what is granted?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from abutment.model.identity import fingerprint
from abutment.model.site import Site


class Kind(StrEnum):
    """The ways in which facts and grants can differ; a replacement is one `new` and one `gone`."""

    NEW = "new"  # a fact that nothing grants
    GROWN = "grown"  # more of a granted fact than is granted
    RETURNED = "returned"  # a fact that was paid and recorded as paid
    EXPIRED = "expired"  # a fact whose approval has run out
    GONE = "gone"  # a grant whose fact the code no longer has
    SHRUNK = "shrunk"  # a grant for more than the code has
    LOOSENED = "loosened"  # law that was widened against the base revision without an amendment

    @property
    def excess(self) -> bool:
        """The code has more than is granted."""
        return self in _EXCESS

    @property
    def stale(self) -> bool:
        """A document grants more than the code has."""
        return self in _STALE


_EXCESS = frozenset({Kind.NEW, Kind.GROWN, Kind.RETURNED, Kind.EXPIRED})
_STALE = frozenset({Kind.GONE, Kind.SHRUNK})


@dataclass(frozen=True, slots=True)
class Violation:
    """One difference between facts and grants, with everything a reader needs to act on it."""

    gate: str
    rule: str  # "ABT301"
    kind: Kind
    identity: tuple[tuple[str, str], ...]  # (field, value) in the gate's order
    found: int  # how many the code has
    granted: int  # how many approvals and baseline together grant
    what: str  # one clause: "app.sync imports httpx"
    document: str  # against which document, relative to the root
    remedy: str  # what to do instead, one or two sentences
    sites: tuple[Site, ...] = ()  # first the one to show; for stale kinds the document's own line
    details: tuple[str, ...] = ()  # further lines: a chain, a cut, a guess
    owners: tuple[str, ...] = ()  # CODEOWNERS of the first site
    through: tuple[Site, ...] = ()  # further places that bring it about: later steps of a chain, a deleted file
    follows: bool = False  # brought about by another violation of the same gate, and gone with it
    leader: str = ""  # the fingerprint of that other one

    @property
    def fingerprint(self) -> str:
        """The identity's SHA-256; the same one that `facts`, SARIF and GitLab show."""
        return fingerprint(self.gate, dict(self.identity))

    def sort_key(self) -> tuple[str, str, int, int, str, tuple[tuple[str, str], ...], str]:
        """Order by gate, then place, then identity: byte-identical on repeat."""
        site = self.sites[0] if self.sites else Site("")
        return (self.gate, site.path, site.line, site.column, self.rule, self.identity, self.kind.value)
