"""Shows, checks and applies the operators' documents: rules, callers, calendar, prices, spending limits, pool rules.

Each document has a group of commands; `_add_show`, `_add_check` and `_add_apply` make the commands that all have in
common. `sagequeue whoami` is here, too: permissions come from the callers document.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, Any

import click
from rich.console import RenderableType

from sagequeue.api.client import QueueClient
from sagequeue.api.document_errors import BadDocument
from sagequeue.cli.console import json_option, print_answer, print_json, print_lines
from sagequeue.contract.documents import Calendar, CallersDryRun, Document
from sagequeue.tables.documents import dry_run_lines, findings_view, permission_lines, prices_view, spending_view
from sagequeue.tables.queue import periods_view, pools_view, refusals

_file_argument = click.argument("file", type=click.File(encoding="utf-8"))
_replaces_option = click.option(
    "--replaces", type=click.IntRange(min=0), help="Apply only if this is the current version."
)


def _overview(
    name: str, read: Callable[[QueueClient], Any], view: Callable[[Any], RenderableType], text: str
) -> click.Group:
    """Returns a group that prints an overview where no command of it is called."""

    @click.group(name, invoke_without_command=True, help=text)
    @json_option
    @click.pass_context
    def group(ctx: click.Context, *, as_json: bool) -> None:
        if ctx.invoked_subcommand is None:
            print_answer(read(QueueClient()), view, as_json=as_json)

    return group


def _add_show(group: click.Group, read: Callable[[QueueClient], Document], text: str) -> None:
    """Adds a command that prints the document, which can be edited and applied again; its author to standard error."""

    @group.command(help=text)
    @json_option
    def show(*, as_json: bool) -> None:
        document = read(QueueClient())
        if as_json:
            print_json(document)
            return
        click.echo(document["text"].rstrip())
        author = f", by {document['changed_by']} at {document['changed_at']}" if document["version"] else ", default"
        click.echo(f"version {document['version']}{author}", err=True)


def _add_check(
    group: click.Group, try_out: Callable[[QueueClient, str], Any], show: Callable[..., None], text: str
) -> None:
    """Adds a command that shows the effect of a document, without applying it."""

    @group.command(help=text)
    @_file_argument
    @json_option
    def check(file: IO[str], *, as_json: bool) -> None:
        with _problems_shown(file):
            dry_run = try_out(QueueClient(), file.read())
        show(dry_run, as_json=as_json)


def _add_apply(
    group: click.Group,
    put: Callable[[QueueClient, str, int | None], Document],
    text: str,
    notes: Callable[[QueueClient, Any], Iterable[str]] = lambda _queue, _document: (),
) -> None:
    """Adds a command that applies a document; `notes` on the result go to standard error."""

    @group.command(help=text)
    @_file_argument
    @_replaces_option
    @json_option
    def apply(file: IO[str], replaces: int | None, *, as_json: bool) -> None:
        queue = QueueClient()
        with _problems_shown(file):
            document = put(queue, file.read(), replaces)
        _print_applied(document, as_json=as_json)
        for note in notes(queue, document):
            click.echo(note, err=True)


def _print_applied(document: Document, *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        click.echo(f"Applied version {document['version']}")


@contextmanager
def _problems_shown(file: IO[str]) -> Iterator[None]:
    """Prints one line for each problem of a refused document, with file and line number."""
    try:
        yield
    except BadDocument as error:
        for problem in error.problems:
            place = f"{file.name}:{problem['line']}" if problem["line"] else file.name
            click.echo(f"{place}: {problem['field']} {problem['message']}", err=True)
        raise


@click.group()
def rules() -> None:
    """Show, check and change the rules for training jobs."""


@rules.command()
@click.option(
    "--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="Maximum number of jobs, newest first."
)
@json_option
def findings(limit: int, *, as_json: bool) -> None:
    """List training jobs started outside the queue that break a rule."""
    print_answer(QueueClient().findings(limit), findings_view, as_json=as_json)


_add_show(rules, QueueClient.rules, "Print the current rules; they can be edited and applied again.")
_add_check(
    rules,
    QueueClient.check_rules,
    lambda dry_run, *, as_json: print_lines(dry_run, dry_run_lines, as_json=as_json),
    "Show the effect of the rules in FILE on waiting and running jobs, without applying them.",
)
_add_apply(rules, QueueClient.apply_rules, "Apply the rules in FILE, as a whole or not at all.")


@click.group()
def callers() -> None:
    """Show, check and change the callers document (permissions); for operators."""


@callers.command()
@_file_argument
@_replaces_option
@click.option("--hand-over", is_flag=True, help="Apply it even if you would no longer be an operator.")
@json_option
def apply(file: IO[str], replaces: int | None, *, hand_over: bool, as_json: bool) -> None:
    """Apply the callers document in FILE, as a whole or not at all."""
    with _problems_shown(file):
        document = QueueClient().apply_callers(file.read(), replaces, hand_over=hand_over)
    _print_applied(document, as_json=as_json)


@click.command()
@json_option
def whoami(*, as_json: bool) -> None:
    """Show your identity and your permissions in the queue."""
    print_lines(QueueClient().whoami(), permission_lines, as_json=as_json)


def _callers_lines(dry_run: CallersDryRun) -> Iterator[str]:
    yield from dry_run_lines(dry_run)
    yield "your permissions under it:"
    yield from permission_lines(dry_run["you"])


_add_show(callers, QueueClient.callers, "Print the current callers document; it can be edited and applied again.")
_add_check(
    callers,
    QueueClient.check_callers,
    lambda dry_run, *, as_json: print_lines(dry_run, _callers_lines, as_json=as_json),
    "Show the effect of FILE on waiting and running jobs, and on you, without applying it.",
)


@click.group()
def calendar() -> None:
    """Show, check and change the calendar, which changes the budget on a schedule."""


@calendar.command()
@json_option
def ahead(*, as_json: bool) -> None:
    """List the budgets of the coming weeks."""
    document = QueueClient().calendar()
    print_answer(document, _periods, as_json=as_json)
    if document["rests"] and not as_json:
        click.echo("The calendar is on hold: an operator has set a budget. `sagequeue budget reset` resumes it.")


def _periods(answer: Any) -> RenderableType:
    return periods_view(answer["periods"])


def _notes_on_calendar(_queue: QueueClient, document: Calendar) -> Iterator[str]:
    if document["rests"]:
        yield "The calendar is on hold: an operator has set a budget, which overrides it."


_add_show(calendar, QueueClient.calendar, "Print the current calendar; it can be edited and applied again.")
_add_check(
    calendar,
    QueueClient.check_calendar,
    lambda dry_run, *, as_json: print_answer(dry_run, _periods, as_json=as_json),
    "List the coming weeks' budgets under the calendar in FILE, without applying it.",
)
_add_apply(
    calendar, QueueClient.apply_calendar, "Apply the calendar in FILE, as a whole or not at all.", _notes_on_calendar
)

prices = _overview("prices", QueueClient.prices, prices_view, "List the known prices of instances.")
_add_show(prices, QueueClient.prices, "Print the current price document; it can be edited and applied again.")
_add_apply(
    prices,
    QueueClient.apply_prices,
    "Apply the prices in FILE, as a whole or not at all; other types keep their known prices.",
)

spending = _overview(
    "spending",
    QueueClient.spending,
    spending_view,
    "List the use of this month's limits on GPU hours and dollars, with a forecast.",
)
_add_show(spending, QueueClient.spending, "Print the current spending limits; they can be edited and applied again.")
_add_apply(spending, QueueClient.apply_spending, "Apply the spending limits in FILE, as a whole or not at all.")

pools = _overview(
    "pools",
    QueueClient.pools,
    lambda found: pools_view(found, datetime.now(UTC)),
    "List warm pools: instances that SageMaker keeps after a job, and bills.",
)


@pools.group("rules")
def pool_rules() -> None:
    """Show and change the pool rules: which jobs leave warm pools, and for how long."""


_add_show(pool_rules, QueueClient.pool_rules, "Print the current pool rules; they can be edited and applied again.")
_add_apply(
    pool_rules,
    QueueClient.apply_pool_rules,
    "Apply the pool rules in FILE, as a whole or not at all.",
    lambda queue, _document: refusals(queue.pools()),
)

COMMANDS = (rules, callers, whoami, calendar, prices, spending, pools)
