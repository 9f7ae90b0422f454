"""What runs beside its caller: check it, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("concurrency")
