"""Why could something not be judged?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.model.site import Site


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One cause for which nothing can be said about a file, a document or an option."""

    path: str  # relative to the root, "/"-separated; "" where the fault has no file
    line: int  # 1-based; 0 where the whole file is meant
    message: str
    remedy: str = ""

    @property
    def site(self) -> Site:
        """Where it is."""
        return Site(self.path, self.line)

    def line_text(self) -> str:
        """Return `path:line: message. remedy` with the parts that are known."""
        message = self.message if self.message.endswith((".", "?", "!")) or not self.remedy else f"{self.message}."
        place = f"{self.site.place()}: " if self.path else ""
        return f"{place}{message}" + (f" {self.remedy}" if self.remedy else "")
