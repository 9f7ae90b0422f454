"""How does a path of the judged tree read as a URI?"""

from __future__ import annotations

from urllib.parse import quote


def uri(path: str) -> str:
    """Return a relative URI: every byte that is neither unreserved nor `/` percent-encoded.

    A colon is encoded too, since `a:b.py` would otherwise read as a scheme. An undecodable byte of a path is
    encoded as the byte it was.
    """
    return quote(path.encode("utf-8", "surrogateescape") if _decodable(path) else path.encode("utf-8", "replace"))


def _decodable(path: str) -> bool:
    return not any(0xD800 <= ord(c) <= 0xDFFF and not 0xDC80 <= ord(c) <= 0xDCFF for c in path)
