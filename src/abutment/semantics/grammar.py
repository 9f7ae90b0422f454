"""Which grammar does this interpreter read, and which format of outline does this engine write?"""

from __future__ import annotations

import sys

GRAMMAR = f"CPython {sys.version_info[0]}.{sys.version_info[1]}"
FORMAT = 10  # raised with every change of what a row or an atom means; part of every cache key
