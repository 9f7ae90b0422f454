"""Does uv hold its lock for current? `uv lock --check`, which says so by more than its status."""

from __future__ import annotations

import re

from abutment.sources.tools.output import Output

LOCK = "uv.lock"
ARGUMENTS = ("lock", "--check", "--color", "never")
_RESOLVED = re.compile(r"^Resolved (?P<packages>\d+) packages? in ", re.MULTILINE)
_OUTDATED = re.compile(r"needs to be updated, but `--(?:check|locked)` was provided")


def parse_lock_check(output: Output) -> tuple[int, bool]:
    """Return how many packages were resolved, and whether the lock is current.

    Status 1 is an outdated lock, and also one that cannot be read, or an index that cannot be reached: raises NotJudged
    unless uv says which.
    """
    output.require_status(0, 1)
    said = output.stderr.decode("utf-8", "replace")
    resolved = _RESOLVED.search(said)
    is_outdated = _OUTDATED.search(said) is not None
    if resolved is None or is_outdated != (output.status == 1):
        raise output.fault("could not tell whether the lock is current.", "Run `uv lock --check` by hand.")
    return int(resolved["packages"]), not is_outdated
