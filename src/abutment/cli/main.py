"""Which verb was asked for, and with which status does the process end?"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from abutment import __version__
from abutment.cli.terminal import Streams
from abutment.errors import AbutmentError, NotJudged

# Each verb is imported when it is asked for: `abutment --version` loads click and nothing else.
VERBS = {
    "init": "abutment.cli.init",
    "check": "abutment.cli.check",
    "tighten": "abutment.cli.tighten",
    "move": "abutment.cli.move",
    "record": "abutment.cli.record",
    "draft": "abutment.cli.draft",
    "explain": "abutment.cli.explain",
    "why": "abutment.cli.why",
    "facts": "abutment.cli.facts",
    "graph": "abutment.cli.graph",
    "list": "abutment.cli.listing",
    "config": "abutment.cli.config",
}

NOT_JUDGED = 2
INTERRUPTED = 130


class LazyVerbs(click.Group):
    """A group whose commands are modules with a `command`, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which a newcomer meets them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb's command, or None where there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(VERBS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyVerbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="abutment")
@click.option("--traceback", is_flag=True, help="Show the whole traceback of a fault in abutment itself.")
def cli(traceback: bool) -> None:
    """Hold a Python codebase against the law that people wrote and the debt that was recorded.

    Exit status: 0 held, 1 broken, 2 could not be judged.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    traceback = "--traceback" in given
    sys.exit(status_of([word for word in given if word != "--traceback"], traceback))


def status_of(arguments: list[str], traceback: bool = False, command: click.Command | None = None) -> int:
    """Run the command line (or one command of it) in this process and return its exit status."""
    streams = Streams()
    try:
        chosen = cli if command is None else command
        answer = chosen.main(args=arguments, prog_name=command.name if command else "abutment", standalone_mode=False)
    except NotJudged as refusal:
        streams.complain([fault.line_text() for fault in refusal.faults])
        return NOT_JUDGED
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as misuse:
        misuse.show()
        return NOT_JUDGED
    except (KeyboardInterrupt, click.Abort):
        streams.complain(["interrupted"])
        return INTERRUPTED
    except BrokenPipeError:
        streams.silence()
        return 0
    except (AbutmentError, Exception) as fault:
        if traceback:
            raise
        streams.complain(
            [
                f"abutment {__version__} failed: {type(fault).__name__}: {fault}. "
                "Run again with --traceback for the rest."
            ]
        )
        return NOT_JUDGED
    finally:
        _flush(streams)
    return answer if isinstance(answer, int) else 0


def _flush(streams: Streams) -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        streams.silence()
    except (OSError, ValueError):
        # The reader is gone or standard output was closed before we began: nobody is left to tell.
        os._exit(NOT_JUDGED)
