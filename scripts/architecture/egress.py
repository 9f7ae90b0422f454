"""Ways out over the network: check them, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("egress")
