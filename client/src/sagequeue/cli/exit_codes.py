"""Prints errors with their remedies, and maps them to exit codes (listed in `sagequeue --help`)."""

import click

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

#: The first match counts. Other refusals exit with 1, and click's usage errors with 2.
_EXIT_CODES: tuple[tuple[type[QueueError], int], ...] = (
    (UnknownJob, 3),
    (NotConfigured, 4),
    (CredentialsMissing, 4),
    (AccessDenied, 4),
    (NotAQueue, 4),
    (QueueUnreachable, 5),
)


def show_error(error: QueueError) -> None:
    for violation in error.violations if isinstance(error, RuleViolated) else ():
        click.echo(f"{violation['rule']}: {violation['message'].rstrip('.')}. {violation['remedy']}", err=True)
    show_message(error.message, error.remedy)


def exit_code(error: QueueError) -> int:
    return next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)


def show_message(message: str, remedy: str) -> None:
    click.echo(f"Error: {message}", err=True)
    if remedy:
        click.echo(remedy, err=True)
