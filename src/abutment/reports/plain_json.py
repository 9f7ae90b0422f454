"""How is a value written as JSON, so that two runs give the same bytes and every reader accepts them?"""

from __future__ import annotations

import json
import re

_LONE = re.compile("[\ud800-\udfff]")


def dump(value: object) -> str:
    """Return sorted JSON with one trailing newline.

    Non-ASCII is kept. A lone surrogate (an undecodable byte of a path) becomes the six visible characters
    of its escape, as strict readers refuse a document that holds one.
    """
    text = json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False)
    return _LONE.sub(lambda match: f"\\\\u{ord(match.group()):04x}", text) + "\n"
