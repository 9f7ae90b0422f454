"""Which files may a report never take the place of?"""

from __future__ import annotations

import os
from pathlib import Path

from abutment.config import Config
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named


def refuse_law(report: Path, config: Config) -> None:
    """Raise NotJudged where a report would be written over the configuration, or among policies and baselines.

    Links are followed: another name of a document is the document.
    """
    target, root = Path(os.path.realpath(report)), Path(os.path.realpath(config.root))
    documents = Path(os.path.realpath(root / path_named(config.documents)))
    if target == root / config.file or documents == target or documents in target.parents:
        message = f"is where the law stands ({config.file}, {config.documents}), and no place for a report."
        raise NotJudged(Fault(str(report), 0, message, "Name another file."))
