"""`sagequeue queue`, `budget`, `drain` and `resume`: show the queue as a whole, and operate it."""

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_answer, print_json
from sagequeue.contract.queue import Budget, Intake
from sagequeue.tables.queue import budget_view, summary_view


class _BudgetLine(click.ParamType):  # type: ignore[type-arg]  # in click 8.1 it is not generic
    """`ml.g5.xlarge=4`"""

    name = "TYPE=N"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        kind, sign, count = value.partition("=")
        if not (kind and sign and count.isascii() and count.isdigit()):
            self.fail(f"{value!r} is not an instance type and a number, such as ml.g5.xlarge=4.", param, ctx)
        return kind, int(count)


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def budget(ctx: click.Context, *, as_json: bool) -> None:
    """Show the budget: the instances that the queue may use. `set` and `reset` change it immediately."""
    # `budget --json set …` means `budget set --json …`.
    ctx.default_map = {"set": {"as_json": as_json}, "reset": {"as_json": as_json}}
    if ctx.invoked_subcommand is None:
        queue = QueueClient()
        print_answer(
            queue.budget(), lambda setting: budget_view(setting, queue.page(limit=1)["budget"]), as_json=as_json
        )


@budget.command("set")
@click.argument("lines", metavar="TYPE=N...", type=_BudgetLine(), nargs=-1, required=True)
@click.option("--stop-over-budget", is_flag=True, help="Preempt jobs over the new budget instead of letting them end.")
@json_option
def set_budget(lines: tuple[tuple[str, int], ...], *, stop_over_budget: bool, as_json: bool) -> None:
    """Replace the whole budget: instance types that are not listed are no longer used."""
    kinds = [kind for kind, _ in lines]
    if len(set(kinds)) < len(kinds):
        raise click.UsageError("List each instance type once.")
    _print_budget(QueueClient().set_budget(dict(lines), stop_over_budget=stop_over_budget), as_json=as_json)


@budget.command()
@json_option
def reset(*, as_json: bool) -> None:
    """Remove this budget: the budget of the calendar or of the stack applies again."""
    _print_budget(QueueClient().reset_budget(), as_json=as_json)


@click.command()
@json_option
def drain(*, as_json: bool) -> None:
    """Refuse new jobs from now on; jobs in the queue continue."""
    _print_intake(QueueClient().drain(), as_json=as_json)


@click.command()
@json_option
def resume(*, as_json: bool) -> None:
    """Accept new jobs again."""
    _print_intake(QueueClient().resume(), as_json=as_json)


@click.command()
@json_option
def queue(*, as_json: bool) -> None:
    """Show the queue as a whole: running and waiting jobs per type and team, and the next jobs."""
    print_answer(QueueClient().queue(), summary_view, as_json=as_json)


COMMANDS = (budget, drain, resume, queue)


def _print_budget(setting: Budget, *, as_json: bool) -> None:
    print_answer(setting, lambda setting: budget_view(setting, {}), as_json=as_json)


def _print_intake(intake: Intake, *, as_json: bool) -> None:
    if as_json:
        print_json(intake)
    else:
        click.echo("The queue accepts new jobs." if intake["intake_open"] else "The queue refuses new jobs.")
