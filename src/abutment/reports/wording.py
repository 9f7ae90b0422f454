"""How is a difference between facts and grants said in one true and short line?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.reports.characters import sentence, visible
from abutment.verdicts.verdict import FileAccount, Run, Tally, Verdict, tally


def clause(violation: Violation) -> str:
    """Return what is wrong, against which document, as one sentence that begins with the kind."""
    return _CLAUSES[violation.kind](violation, visible(violation.what), _document(violation))


def _document(violation: Violation) -> str:
    site = place(violation)
    if violation.kind.stale and site.path == violation.document and site.line:
        return "this line"  # the place beside the clause already names the document
    return visible(violation.document) or "the law"


# `granted` is a sum over both hands, `document` only the one that decides; so no clause says that the document
# alone grants that number.
def _new(violation: Violation, what: str, document: str) -> str:
    times = _times("found", violation.found, what)
    return f"new: {what}{times}, which {document} does not grant."


def _times(word: str, number: int, what: str) -> str:
    """Return how many there are; nothing where it is one, or the number is a figure that the clause has said."""
    return f" ({word} {number})" if number > 1 and str(number) not in re.findall(r"\d+", what) else ""


def _grown(violation: Violation, what: str, document: str) -> str:
    return f"grown from {violation.granted} to {violation.found}: {what}, more than {document} grants."


def _returned(_violation: Violation, what: str, document: str) -> str:
    return f"returned: {what}, which was paid off before; {document} does not let it return."


def _expired(_violation: Violation, what: str, document: str) -> str:
    return f"expired: {what}, whose approval in {document} has run out."


def _gone(violation: Violation, what: str, document: str) -> str:
    times = _times("granted", violation.granted, what)
    return f"gone: {what}{times}; {document} grants what the code does not have."


def _shrunk(violation: Violation, what: str, document: str) -> str:
    return f"shrunk from {violation.granted} to {violation.found}: {what}; {document} has not been lowered."


def _loosened(_violation: Violation, what: str, document: str) -> str:
    return f"loosened: {what}, which {document} does not amend."


_CLAUSES: dict[Kind, Callable[[Violation, str, str], str]] = {
    Kind.NEW: _new,
    Kind.GROWN: _grown,
    Kind.RETURNED: _returned,
    Kind.EXPIRED: _expired,
    Kind.GONE: _gone,
    Kind.SHRUNK: _shrunk,
    Kind.LOOSENED: _loosened,
}


def advice(violation: Violation) -> str:
    """Return the clause and what to do instead."""
    return f"{clause(violation)} {sentence(violation.remedy)}".rstrip()


def place(violation: Violation) -> Site:
    """Return where to look: the first site, or the document where there is none."""
    return violation.sites[0] if violation.sites else Site(violation.document)


def fault_text(fault: Fault) -> str:
    """Return a fault's message and remedy on one line, without its place."""
    return f"{sentence(fault.message)} {sentence(fault.remedy)}".strip()


def counted(number: int, thing: str) -> str:
    """Return `1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def tally_text(found: Tally) -> str:
    """Return `2 violations (2 new), 220 that follow`; "" for none."""
    if not found.leading:
        return ""
    more = f", {found.following} that follow" if found.following else ""
    return f"{counted(len(found.leading), 'violation')} ({kinds(found.leading)}){more}"


def gate_kinds(verdict: Verdict) -> str:
    """Return `2 new, 220 follow` for one gate; "" where nothing is wrong."""
    found = tally(verdict)
    return kinds(found.leading) + (f", {found.following} follow" if found.following else "")


def follow_text(number: int) -> str:
    """Return how many violations go with the one that leads them, as a sentence."""
    verb = "follows" if number == 1 else "follow"
    return f"{counted(number, 'more violation')} {verb} from this one and {'goes' if number == 1 else 'go'} with it."


def kinds(violations: Iterable[Violation]) -> str:
    """Return `2 new, 1 gone`, in the order in which kinds are declared; "" for none."""
    counts = Counter(violation.kind for violation in violations)
    return ", ".join(f"{counts[kind]} {kind}" for kind in Kind if counts[kind])


def shown_text(run: Run, written: Callable[[str], str] = visible) -> str:
    """Return to what a narrowed run's violations are narrowed; `written` is how the format writes an option."""
    option = written(run.narrowed)
    return f"all but stale, as {option} changes the law" if run.law_changed else f"only what {option} touches"


def files_text(files: FileAccount) -> str:
    """Return what became of the files, as one clause."""
    left_out = sum(number for _rule, number in files.left_out)
    return f"{counted(files.scanned, 'file')} scanned, {left_out} left out, {len(files.not_judged)} unread"
