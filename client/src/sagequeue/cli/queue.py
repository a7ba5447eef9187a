"""`sagequeue queue`, `budget`, `drain` and `resume`: show and operate the queue as a whole."""

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import echo, is_terminal, json_option, print_answer, print_json
from sagequeue.contract.queue import Budget, Intake
from sagequeue.tables.queue import budget_changes, budget_view, excess_changes, periods_view, summary_view


class _BudgetLine(click.ParamType):  # type: ignore[type-arg]  # in click 8.1 it is not generic
    """Parses a line of the budget, such as `ml.g5.xlarge=4`."""

    name = "TYPE=N"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        kind, sign, count = value.partition("=")
        if not (kind and sign and count.isascii() and count.isdigit()):
            self.fail(f"{value!r} is not of the form TYPE=N, such as ml.g5.xlarge=4.", param, ctx)
        return kind, int(count)


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def budget(ctx: click.Context, *, as_json: bool) -> None:
    """Show the budget: the instances that the queue may use. `set` and `reset` change it immediately."""
    # `budget --json set …` means `budget set --json …`.
    ctx.default_map = {command: {"as_json": as_json} for command in ("ahead", "set", "reset")}
    if ctx.invoked_subcommand is None:
        queue = QueueClient()
        print_answer(
            queue.budget(), lambda setting: budget_view(setting, queue.page(limit=1)["budget"]), as_json=as_json
        )


@budget.command()
@json_option
def ahead(*, as_json: bool) -> None:
    """List the budgets of the coming weeks."""
    found = QueueClient().budget()
    print_answer(found, lambda setting: periods_view(setting["periods"]), as_json=as_json)
    if found["calendar_rests"] and not as_json:
        echo("The calendar is on hold: an operator has set a budget. `sagequeue budget reset` resumes the calendar.")


@budget.command("set")
@click.argument("lines", metavar="TYPE=N...", type=_BudgetLine(), nargs=-1, required=True)
@click.option(
    "--replace",
    "replaces",
    is_flag=True,
    help="Replace the whole budget: the queue stops using types that you do not list.",
)
@click.option(
    "--stop-over-budget/--no-stop-over-budget",
    "stops",
    default=None,
    help="Preempt running jobs that exceed the budget, or let them finish.  [as before]",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
def set_budget(
    lines: tuple[tuple[str, int], ...], *, replaces: bool, stops: bool | None, yes: bool, as_json: bool
) -> None:
    """Change the budget of the listed instance types, and keep the rest. The command shows the changes and asks for
    confirmation. While a calendar window sets the budget, list all types and add --replace.
    """
    named = dict(lines)
    if len(named) < len(lines):
        raise click.UsageError("An instance type is listed twice. List each type once.")
    if not yes and not is_terminal():
        raise click.UsageError("Cannot ask for confirmation without a terminal. Add --yes to change the budget.")
    queue = QueueClient()
    current = queue.budget()
    before = current["budget"]
    if current["source"] == "calendar" and not replaces:
        raise click.UsageError("A calendar window sets the budget now. List all types and add --replace.")
    after = named if replaces else {**before, **named}
    will_stop = current["stop_over_budget"] if stops is None else stops
    for change in (*budget_changes(before, after), *excess_changes(current["stop_over_budget"], will_stop)):
        echo(change, err=True)
    if not yes:
        click.confirm("Change the budget?", abort=True, err=True)
        _refuse_if_changed(current, queue.budget())
    _print_budget(queue.set_budget(after, stop_over_budget=will_stop), as_json=as_json)


@budget.command()
@json_option
def reset(*, as_json: bool) -> None:
    """Remove the budget that operators set, so that the calendar's or the stack's budget applies again."""
    _print_budget(QueueClient().reset_budget(), as_json=as_json)


@click.command()
@json_option
def drain(*, as_json: bool) -> None:
    """Refuse new jobs from now on. Jobs in the queue continue."""
    _print_intake(QueueClient().drain(), as_json=as_json)


@click.command()
@json_option
def resume(*, as_json: bool) -> None:
    """Accept new jobs again."""
    _print_intake(QueueClient().resume(), as_json=as_json)


@click.command()
@json_option
def queue(*, as_json: bool) -> None:
    """Show the queue as a whole: running and waiting jobs by type and team, and the next jobs."""
    print_answer(QueueClient().queue(), summary_view, as_json=as_json)


COMMANDS = (budget, drain, resume, queue)


def _refuse_if_changed(shown: Budget, current: Budget) -> None:
    """Keeps a change that somebody else made while the command asked for confirmation."""
    if any(shown[member] != current[member] for member in ("budget", "source", "stop_over_budget", "changed_at")):
        raise click.ClickException("The budget has changed since the command read it. Run the command again.")


def _print_budget(setting: Budget, *, as_json: bool) -> None:
    print_answer(setting, lambda setting: budget_view(setting, {}), as_json=as_json)


def _print_intake(intake: Intake, *, as_json: bool) -> None:
    if as_json:
        print_json(intake)
    else:
        echo("The queue accepts new jobs." if intake["intake_open"] else "The queue refuses new jobs.")
