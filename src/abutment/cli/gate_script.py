"""`scripts/architecture/<name>.py`: one gate under the words that the first users type.

Without `--write` (or with `--check`) it is `abutment check GATE`, with it `abutment tighten GATE`; every other option
is that verb's own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from abutment.cli.main import main as run_and_exit


def main(gate: str, arguments: Sequence[str] | None = None, *, may_write: bool = True) -> NoReturn:
    """Check the gate, or tighten it, with the arguments of this process, and end it with the verb's status.

    Where nothing may be written, `--write` is an option that `check` does not know.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    verb = "tighten" if "--write" in given and may_write else "check"
    # Both at once: `tighten` knows no `--check`, and says so.
    unread = "--write" if verb == "tighten" else "--check"
    run_and_exit([verb, gate, *(word for word in given if word != unread)])
