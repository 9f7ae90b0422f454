"""What starting loads and leaves alive, and how long it takes: print it, check it, or record what was paid."""

from abutment.cli.startup import main

main()
