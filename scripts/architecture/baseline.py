"""Host graph: check it, or record it. See `abutment check` and `abutment tighten`."""

from abutment.cli.host import main

main()
