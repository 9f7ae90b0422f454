"""Which modules does this project have, and what became of every Python file below it?

**Accounts.** Every `.py`, `.pyi` and `.ipynb` is scanned, left out by a named rule, or not judged. Left out
without a look (one entry for the whole directory) are virtual environments, `site-packages`, `node_modules`,
`build`, `dist`, hidden directories, and what `.gitignore` names outside of the roots; but
never a file that git tracks, and never a directory with an `__init__.py` inside a root. What `exclude` names,
and what `.gitignore` names inside a root, gives no facts but stays known as a target of imports.

**Names.** A file's module is the dotted way from its root, also where a part is no identifier (`fix-names`,
`2fa`, `class`): `import_module` reaches it. What no dotted name can reach has its path as its name, which
always holds a "/": files with a dot in their name (`tools/old.v1.py`, at the top `./old.v1.py`), everything
below such a directory, and files that another file of the same name shadows. No module name holds a "/".

**Roots.** Where one root lies inside another, the inner one has the files. A root that is a package is named
by the packages around it: `src/app/tests` with `src/app/__init__.py` is `app.tests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abutment.model.fault import Fault
from abutment.sources.ignore import IgnoreFile
from abutment.sources.naming import STUB, Named, name_modules
from abutment.sources.tree import Tree
from abutment.sources.universe import Root, Universe
from abutment.sources.walk import Rules, Walked, walk


def discover(
    tree: Tree,
    roots: Sequence[Root],
    exclude: Sequence[str] = (),
    tracked: frozenset[str] | None = None,
    *,
    outer: Sequence[IgnoreFile] = (),
) -> Universe:
    """Return every module of the roots and an account of every file below the tree's root.

    `exclude` are gitignore-style patterns; `tracked` are the paths that git tracks, None where git cannot be
    asked; `outer` are the ignore patterns that reach the tree from above it (`git.outer_ignores`). What cannot
    be read is in `not_judged`; nothing is raised.
    """
    walked = walk(tree, Rules(tuple(roots), tuple(exclude), tracked, tuple(outer)))
    named = name_modules(roots, walked)
    return Universe(
        roots=tuple(roots),
        files=tuple(sorted(named.files, key=lambda file: file.path)),
        known=tuple(sorted(named.known)),
        shadows=tuple(sorted(named.shadows)),
        case_pairs=tuple(sorted(named.case_pairs)),
        left_out=tuple(sorted([*walked.left_out, *((path, STUB) for path in named.stubs)])),
        not_judged=tuple(sorted({*walked.faults, *_missing(roots, walked)})),
        top_names=_top_names(named),
    )


def _missing(roots: Sequence[Root], walked: Walked) -> Iterable[Fault]:
    """Yield a fault for each root that the walk never came to: nothing of it was judged."""
    seen = {found.root for found in walked.lone} | {folder.root for folder in walked.folders.values()}
    unread = {fault.path for fault in walked.faults}
    for index, root in enumerate(roots):
        if index not in seen and root.path not in unread:
            message = "the root was not reached: it does not exist, or a link leads around it."
            yield Fault(root.path, 0, message, "Check `roots` in the configuration.")


def _top_names(named: Named) -> frozenset[str]:
    modules = (*(file.module for file in named.files), *(known.module for known in named.known))
    return frozenset(module.partition(".")[0] for module in modules if "/" not in module)
