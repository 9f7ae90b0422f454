"""Is a ring twice as long twice the work, for names that lead to one another?

    python -m benchmarks.rings [SIZE]

Prints, for each shape, the processor time of answering one question about all of it, at SIZE and at twice as much.
Linear work doubles; work that goes round the ring for each name grows fourfold.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping

from abutment.semantics.build import build_program
from abutment.semantics.program import Program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root

Files = Mapping[str, str]
WATCHED = frozenset(("requests",))
SIZE = 1_000


def functions_that_return_each_other(size: int) -> Files:
    form = "def f{0}(k):\n    return f{1}(k) if k else requests.Session()\nf{1}(1).get('x')"
    return {"m.py": "\n".join(("import requests", *_round(size, form)))}


def functions_that_hand_on_what_they_are_handed(size: int) -> Files:
    form = "def f{0}(s):\n    f{1}(s)\n    f{1}(requests)\n    s.get('x')"
    return {"m.py": "\n".join(("import requests", *_round(size, form)))}


def modules_that_take_a_name_from_each_other(size: int) -> Files:
    form = "try:\n    from m{1} import get\nexcept ImportError:\n    from requests import get\nget('x')"
    return _files(_round(size, form))


def modules_that_call_each_other(size: int) -> Files:
    form = "import requests\nfrom m{1} import f{1}\ndef f{0}(k):\n    return f{1}(k) if k else requests.get\nf{0}(1)(1)"
    return _files(_round(size, form))


SHAPES: tuple[Callable[[int], Files], ...] = (
    functions_that_return_each_other,
    functions_that_hand_on_what_they_are_handed,
    modules_that_take_a_name_from_each_other,
    modules_that_call_each_other,
)


def _round(size: int, form: str) -> list[str]:
    """Return one text for each of a ring: its number, and that of the next one, put into a form."""
    return [form.format(at, (at + 1) % size) for at in range(size)]


def _files(modules: list[str]) -> dict[str, str]:
    return {f"m{at}.py": text for at, text in enumerate(modules)}


def program_of(files: Files) -> Program:
    """Return the program that a tree of such files makes."""
    tree = MemoryTree(files)
    return build_program(discover(tree, [Root(".")]), tree, uses=True)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    print(f"{'seconds of':44} {size:>8} {2 * size:>8}    ratio")
    for shape in SHAPES:
        once, twice = (_seconds(program_of(shape(length))) for length in (size, 2 * size))
        print(f"{shape.__name__.replace('_', ' '):44} {once:8.2f} {twice:8.2f} {twice / once:8.1f}")


def _seconds(program: Program) -> float:
    before = time.process_time()
    if not program.uses.of(WATCHED):
        raise SystemExit("benchmarks: nothing was found, so there is nothing to be measured")
    return time.process_time() - before


if __name__ == "__main__":
    main()
