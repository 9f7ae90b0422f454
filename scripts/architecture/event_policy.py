"""Events: who sends them, who takes them, and is each handler reviewed? Only people write its policy."""

from abutment.cli.gate_script import main

main("events", may_write=False)
