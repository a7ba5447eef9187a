"""How the command line is put together: one readable message per error, and commands of other packages."""

import os
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points

import click
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.errors import (
    AccessDenied,
    CredentialsMissing,
    NotAQueue,
    NotConfigured,
    QueueError,
    QueueUnreachable,
    RuleViolated,
    UnknownJob,
)

#: The first that fits counts; every other refusal ends with 1, and click's own usage errors with 2.
_EXIT_CODES: tuple[tuple[type[QueueError], int], ...] = (
    (UnknownJob, 3),
    (NotConfigured, 4),
    (CredentialsMissing, 4),
    (AccessDenied, 4),
    (NotAQueue, 4),
    (QueueUnreachable, 5),
)


class QueueCommands(click.Group):
    """The queue's own commands and those that installed packages register as "sagequeue.commands"."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._foreign})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._foreign:
            command: click.Command = self._foreign[cmd_name].load()
            return command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        if os.environ.get("NO_COLOR"):  # rich looks by itself
            ctx.color = False
        try:
            return super().invoke(ctx)
        except QueueError as error:
            tell(error)
            ctx.exit(exit_code(error))
        except BotoCoreError as error:
            _tell(str(error), "Check the AWS configuration of this shell.")
            ctx.exit(4)
        except ClientError as error:  # of AWS itself, past the queue: logs, the identity
            _tell(str(error), "Check what the credentials of this shell may do.")
            ctx.exit(4)

    @cached_property
    def _foreign(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group="sagequeue.commands")}


def tell(error: QueueError) -> None:
    for violation in error.violations if isinstance(error, RuleViolated) else ():
        click.echo(f"{violation['rule']}: {violation['message'].rstrip('.')}. {violation['remedy']}", err=True)
    _tell(error.message, error.remedy)


def exit_code(error: QueueError) -> int:
    return next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)


def _tell(message: str, remedy: str) -> None:
    click.echo(f"Error: {message}", err=True)
    if remedy:
        click.echo(remedy, err=True)
