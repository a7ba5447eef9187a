"""`sagequeue run`: an unchanged Python program, for example in CI, with its training jobs led through the queue."""

import runpy
import sys
from pathlib import Path

import click

from sagequeue.client import QueueClient
from sagequeue.every_session import install_in_every_session


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="PROGRAM is a module, as for python -m.")
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...], *, is_module: bool) -> None:
    """Run the Python PROGRAM with its training jobs led through the queue, whatever sessions it makes.

    It runs in the environment in which sagequeue is installed, and does not start without a queue. Programs that it
    starts itself are not led.
    """
    install_in_every_session(QueueClient())
    sys.argv = [program, *arguments]
    if is_module:
        sys.path.insert(0, "")
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(program).resolve().parent))
        runpy.run_path(program, run_name="__main__")


COMMANDS = (run,)
