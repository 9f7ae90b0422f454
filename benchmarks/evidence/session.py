"""Does the session that README.md shows still happen, word for word, on a real package?

`python -m benchmarks.evidence.session` plays it on django and compares; `--write` puts what happened into the
README, for review in the diff.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.catalogue import CORPORA, lay_out

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BEGIN, END = "<!-- session: django 5.2.1 -->\n", "<!-- end of session -->\n"
ABUTMENT = str(Path(sys.executable).parent / "abutment")
FORBIDDEN = "from django.contrib import admin"
COMMANDS = (
    "abutment init",
    "abutment check",
    f'echo "{FORBIDDEN}" >> django/utils/timezone.py',
    "abutment check boundaries",
    "abutment why django.utils.timezone django.contrib.admin",
)


def play(folder: Path) -> Iterator[str]:
    """Yield each command and what it said on stdout, with its exit status where that is not 0."""
    for command in COMMANDS:
        yield f"$ {command}"
        if command.startswith("echo"):
            with (folder / "django/utils/timezone.py").open("a", encoding="utf-8") as module:
                module.write(f"{FORBIDDEN}\n")
            continue
        words = [ABUTMENT, *command.split()[1:], "--cache-dir", str(folder.parent / "cache")]
        said = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        yield from said.stdout.rstrip("\n").splitlines()
        yield f"$ echo $?\n{said.returncode}" if said.returncode else ""


def rendered() -> str:
    """Return the session as a Markdown block."""
    corpus = next(corpus for corpus in CORPORA if corpus.name == "django")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        lay_out(corpus, folder)
        lines = list(play(folder))
    return f"{BEGIN}\n```console\n" + "\n".join(lines).rstrip() + "\n```\n\n" + END


def main() -> int:
    """Compare (0 where equal, 1 where not), or write."""
    text = README.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        print("README.md has no place for the session")
        return 1
    new = before + rendered() + after
    if "--write" in sys.argv[1:]:
        README.write_text(new, encoding="utf-8")
    print("the README's session is what happens" if new == text else "the README's session is not what happens")
    return 0 if new == text else 1


if __name__ == "__main__":
    sys.exit(main())
